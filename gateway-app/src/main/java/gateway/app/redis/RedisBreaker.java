package gateway.app.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Stops asking a Redis that does not answer: after so many failures in a row calls are refused at once,
/// but for one in each pause that tries again. Its success lets everything through.
///
/// The failures must also be spread over some time: a hundred calls that one stutter made late are one
/// failure.
final class RedisBreaker {
    private static final int FAILURES = 5;
    private static final long SPREAD_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 100_000_000;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong nextTry = new AtomicLong();
    private volatile long firstFailure;
    private volatile boolean open;
    private volatile long silentSince; // 0: the last call was answered

    /// Whether to ask now.
    boolean admits(long now) {
        if (!open) return true;
        long next = nextTry.get();
        return now - next >= 0 && nextTry.compareAndSet(next, now + PAUSE_NANOS);
    }

    boolean open() {
        return open;
    }

    /// Open, and no reply of any kind came for that long.
    boolean silent(long now, long nanos) {
        long since = silentSince;
        return open && since != 0 && now - since > nanos;
    }

    /// Lets everything through again: what failed has been replaced.
    void reset() {
        heard();
        succeeded();
    }

    /// A reply came, which may be an error.
    void heard() {
        if (silentSince != 0) silentSince = 0;
    }

    /// No reply came.
    void unheard(long now) {
        if (silentSince == 0) silentSince = now;
    }

    void succeeded() {
        if (failures.get() == 0) return;
        failures.set(0);
        open = false;
    }

    /// @return whether this opened it
    boolean failed(long now) {
        int count = failures.incrementAndGet();
        if (count == 1) firstFailure = now;
        if (open || count < FAILURES || now - firstFailure < SPREAD_NANOS) return false;
        nextTry.set(now + PAUSE_NANOS);
        open = true;
        return true;
    }
}
