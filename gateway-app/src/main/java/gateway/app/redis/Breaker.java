package gateway.app.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Stops asking a Redis that does not answer: after so many failures in a row calls are refused at once, but for one in
/// each
/// pause that tries again. Its success lets everything through.
final class Breaker {
    private static final int FAILURES = 5;
    private static final long PAUSE_NANOS = 100_000_000;

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong nextTry = new AtomicLong();

    /// Whether to ask now.
    boolean admits(long now) {
        if (failures.get() < FAILURES) return true;
        long next = nextTry.get();
        return now - next >= 0 && nextTry.compareAndSet(next, now + PAUSE_NANOS);
    }

    boolean open() {
        return failures.get() >= FAILURES;
    }

    void succeeded() {
        if (failures.get() != 0) failures.set(0);
    }

    /// @return whether this opened it
    boolean failed(long now) {
        int count = failures.get();
        if (count < FAILURES && (count = failures.incrementAndGet()) != FAILURES) return false;
        nextTry.set(now + PAUSE_NANOS);
        return count == FAILURES && failures.compareAndSet(FAILURES, FAILURES + 1);
    }
}
