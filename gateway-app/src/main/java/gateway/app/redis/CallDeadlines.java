package gateway.app.redis;

import io.netty.util.concurrent.EventExecutor;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Ends calls that Redis did not answer in time, and waits that took too long.
///
/// All calls of one lane have the same patience, so a lane is a plain queue in order of expiry, looked at a
/// few times per deadline by one thread for all. A timer per call would cost more than the rest of the
/// call's bookkeeping.
///
/// Only what passes while this node runs is Redis' time: what this thread slept longer than it wanted to (see
/// [Standstills]) is not, and nothing ends before the threads that read have had a turn after its deadline (see
/// [LoopTurns]), or before it is so late that it ends as `starved`.
final class CallDeadlines implements AutoCloseable {
    private static final long MOST_CHANCE_NANOS = 25_000_000;
    private static final long LONGEST_AFTERMATH_NANOS = 1_000_000_000;

    private final Queue<Timed> brief = new ConcurrentLinkedQueue<>();
    private final Queue<Timed> patient = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Standstills standstills = new Standstills();
    private final LoopTurns turns;
    private final long deadlineNanos;
    private final long tickNanos;
    private final Thread thread;
    private long looked; // as System.nanoTime
    private volatile boolean closed;

    /// What ends by itself or by its deadline.
    interface Timed {
        boolean ended();

        /// When it began, as [System#nanoTime].
        long begun();

        /// When whom it waits for was asked, at the latest: what left this node later is this node's time.
        ///
        /// @param now when that is not known yet
        long asked(long now);

        /// How long it waits for the answer, in nanoseconds.
        long patience();

        /// Ends it.
        ///
        /// @param starved whether this node was too slow to know what Redis has answered
        void expire(boolean starved);
    }

    /// @param nanos patience of the brief lane; a call ends at most three eighths of it late, plus scheduling
    CallDeadlines(long nanos, Supplier<Collection<EventExecutor>> loops) {
        this.deadlineNanos = nanos;
        this.tickNanos = Math.max(100_000, nanos / 8);
        this.turns = new LoopTurns(loops, Math.min(tickNanos, MOST_CHANCE_NANOS));
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
        looked = System.nanoTime();
        while (!closed) {
            idle = look(System.nanoTime()) ? 0 : idle + 1;
            if (idle < 8) {
                LockSupport.parkNanos(this, tickNanos);
                continue;
            }
            asleep.set(true);
            if (brief.isEmpty() && patient.isEmpty() && !closed) LockSupport.park(this);
            asleep.set(false);
            idle = 0;
            woke(System.nanoTime());
        }
    }

    /// It slept until something was added. What has passed since that began is its own lateness.
    void woke(long now) {
        looked = earlier(patient, earlier(brief, now));
    }

    private static long earlier(Queue<Timed> lane, long moment) {
        Timed first = lane.peek();
        return first != null && first.begun() - moment < 0 ? first.begun() : moment;
    }

    /// Ends what is over.
    ///
    /// @param now a tick after it was called last, or this node stood still meanwhile
    /// @return whether anything goes on or has gone
    boolean look(long now) {
        if (now - looked > 2 * tickNanos) standstills.add(looked + tickNanos, now);
        looked = now;
        boolean briefWaits = sweep(brief, now);
        boolean patientWaits = sweep(patient, now);
        return briefWaits || patientWaits;
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
        if (now - timed.begun() < timed.patience()) return false;
        long late = standstills.lived(timed.asked(now), now, 0) - timed.patience();
        if (late >= 0 && turns.since(now - late, now)) {
            timed.expire(disturbed(timed));
            return true;
        }
        // a long standstill counts as a deadline, or all that were asked before one would be starved at its end
        long waited = standstills.lived(timed.begun(), now, deadlineNanos);
        if (waited < timed.patience() + 4 * deadlineNanos) return false;
        timed.expire(true);
        return true;
    }

    /// Whether this node stood still while it waited, or before, and was still at what had piled up. All threads want
    /// the cores then, and nobody knows whose lateness is seen.
    private boolean disturbed(Timed timed) {
        long from = timed.begun() - deadlineNanos;
        return standstills.disturbance(from, LONGEST_AFTERMATH_NANOS) >= deadlineNanos / 2;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
