package gateway.app.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Stops asking a Redis that does not answer: after so many failures in a row calls are refused at once, but for one in
/// each
/// pause that tries again. Its success lets everything through.
///
/// The failures must also be spread over some time: a hundred calls that one stutter made late are one failure, not
/// many.
final class Breaker {
    private static final int FAILURES = 5;
    private static final long SPREAD_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 100_000_000;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong nextTry = new AtomicLong();
    private volatile long firstFailure;
    private volatile boolean open;

    /// Whether to ask now.
    boolean admits(long now) {
        if (!open) return true;
        long next = nextTry.get();
        return now - next >= 0 && nextTry.compareAndSet(next, now + PAUSE_NANOS);
    }

    boolean open() {
        return open;
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
