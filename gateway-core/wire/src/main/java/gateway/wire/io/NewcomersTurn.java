package gateway.wire.io;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioIoThread;

/// What an IO thread does for newcomers ([Newcomer]), all together: half a millisecond at most, then it rests from them
/// for one while proven clients are there, and looks at its sockets in any case. What finds no time waits, first come,
/// first served. Used on that thread alone, but for [#waiting].
public final class NewcomersTurn {
    private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RESTS = 16; // after the latest turn in which a proven client was heard
    private static final int KNOWN = 16; // that are taken between two turns

    private final XnioIoThread io;
    private final NextTurn nextTurn;
    private final Runnable begin = this::begin;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private long began = System.nanoTime();
    private long spent;
    private boolean paused; // until the next turn ends
    private boolean provenHeard;
    private int rests;
    private int knownTaken;
    private volatile int count; // of those that wait

    public NewcomersTurn(XnioIoThread io, NextTurn nextTurn) {
        this.io = io;
        this.nextTurn = nextTurn;
    }

    NextTurn nextTurn() {
        return nextTurn;
    }

    /// A client that is no newcomer was heard.
    void provenHeard() {
        provenHeard = true;
    }

    /// Whether a newcomer may be served now; who finds that it may not comes again by [#later].
    boolean lasts() {
        return !paused;
    }

    /// Whether one more connection may be taken though the turn is over, since its client has credit.
    boolean takesKnown() {
        return knownTaken++ < KNOWN;
    }

    /// Does it now.
    void now(Runnable work) {
        long from = System.nanoTime();
        try {
            work.run();
        } finally {
            spent(from);
        }
    }

    /// Does it in one of the next turns, behind all that wait.
    void later(Runnable work) {
        waiting.add(work);
        count = waiting.size();
        if (!paused) pause();
    }

    /// How many pieces of work wait; for any thread.
    public int waiting() {
        return count;
    }

    /// What the thread has done since `from`, of [System#nanoTime], was for newcomers.
    public void spent(long from) {
        long now = System.nanoTime();
        if (from - began > TURN_NANOS + REST_NANOS) {
            began = from;
            spent = 0;
        }
        spent += now - from;
        if (spent >= TURN_NANOS && !paused) pause();
    }

    private void pause() {
        paused = true;
        try {
            if (isToRest()) io.executeAfter(begin, REST_NANOS, TimeUnit.NANOSECONDS);
            else nextTurn.run(begin);
        } catch (RejectedExecutionException e) { // the gateway has stopped
            paused = false;
        }
    }

    private boolean isToRest() {
        if (provenHeard) rests = RESTS;
        provenHeard = false;
        if (rests == 0) return false;
        rests--;
        return true;
    }

    /// Something always goes on, however little time there is.
    private void begin() {
        began = System.nanoTime();
        spent = Math.clamp(spent - TURN_NANOS, 0, TURN_NANOS); // in the rest, be it for newcomers that were refused
        knownTaken = 0;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                now(next);
                if (spent >= TURN_NANOS) break;
            }
        } finally {
            paused = false;
            count = waiting.size();
            if (spent >= TURN_NANOS || !waiting.isEmpty()) pause();
        }
    }
}
