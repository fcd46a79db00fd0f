package gateway.app.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Ends calls that Redis did not answer in time, and waits that took too long.
///
/// All calls of one lane have the same patience, so a lane is a plain queue in order of expiry, looked at a
/// few times per deadline by one thread for all. A timer per call would cost more than the rest of the
/// call's bookkeeping.
///
/// Answers may lie unread, since this process stood still (a collection) or has too little of its core: nothing ends
/// before the threads that read have had a turn after its deadline, or before it is so late that it ends as `starved`.
final class CallDeadlines implements AutoCloseable {
    private final Queue<Timed> brief = new ConcurrentLinkedQueue<>();
    private final Queue<Timed> patient = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final LoopTurns turns;
    private final long tickNanos;
    private final long mostLateNanos;
    private final Thread thread;
    private volatile boolean closed;

    /// What ends by itself or by its deadline.
    interface Timed {
        boolean ended();

        /// By which it should have, as [System#nanoTime].
        long expires();

        /// Ends it.
        ///
        /// @param starved whether this node was too slow to know what Redis has answered
        void expire(boolean starved);
    }

    /// @param nanos patience of the brief lane; a call ends at most an eighth of it late, plus scheduling
    CallDeadlines(long nanos, LoopTurns turns) {
        this.turns = turns;
        this.mostLateNanos = 4 * nanos;
        this.tickNanos = Math.max(100_000, nanos / 8);
        this.thread = Thread.ofPlatform().daemon().name("redis-deadlines").unstarted(this::watch);
    }

    void start() {
        thread.start();
    }

    /// @param hasPatience waits as long as administrators do rather than requests
    void add(Timed timed, boolean hasPatience) {
        (hasPatience ? patient : brief).add(timed);
        if (asleep.get() && asleep.compareAndSet(true, false)) LockSupport.unpark(thread);
    }

    private void watch() {
        int idle = 0;
        while (!closed) {
            long now = System.nanoTime();
            boolean briefWaits = sweep(brief, now);
            boolean patientWaits = sweep(patient, now);
            idle = briefWaits || patientWaits ? 0 : idle + 1;
            if (idle < 8) {
                LockSupport.parkNanos(this, tickNanos);
                continue;
            }
            asleep.set(true);
            if (brief.isEmpty() && patient.isEmpty() && !closed) LockSupport.park(this);
            asleep.set(false);
            idle = 0;
        }
    }

    private boolean sweep(Queue<Timed> lane, long now) {
        boolean some = false;
        for (var first = lane.peek(); first != null && isOver(first, now); first = lane.peek()) {
            lane.poll();
            some = true;
        }
        return some || !lane.isEmpty();
    }

    private boolean isOver(Timed timed, long now) {
        if (timed.ended()) return true;
        long late = now - timed.expires();
        if (late < 0) return false;
        boolean read = turns.since(timed.expires(), now);
        if (!read && late < mostLateNanos) return false;
        timed.expire(!read);
        return true;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
