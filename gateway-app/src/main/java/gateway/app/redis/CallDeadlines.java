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
/// When this thread itself wakes late, the process stood still (a collection, a starved core) and answers
/// lie unread: their calls get one more look before they end.
final class CallDeadlines implements AutoCloseable {
    private final Queue<Timed> brief = new ConcurrentLinkedQueue<>();
    private final Queue<Timed> patient = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final long tickNanos;
    private final Thread thread;
    private volatile boolean closed;

    /// What ends by itself or by its deadline.
    interface Timed {
        /// Ends it when `now` is past its deadline.
        ///
        /// @return whether it has ended by now
        boolean expire(long now);
    }

    /// @param nanos patience of the brief lane; a call ends at most an eighth of it late, plus scheduling
    CallDeadlines(long nanos) {
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
        long due = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            boolean late = now - due > 2 * tickNanos;
            due = now + tickNanos;
            if (late) {
                LockSupport.parkNanos(this, tickNanos);
                now = System.nanoTime();
                due = now + tickNanos;
            }
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
            due = System.nanoTime();
            idle = 0;
        }
    }

    private static boolean sweep(Queue<Timed> lane, long now) {
        boolean some = false;
        for (var first = lane.peek(); first != null && first.expire(now); first = lane.peek()) {
            lane.poll();
            some = true;
        }
        return some || !lane.isEmpty();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
