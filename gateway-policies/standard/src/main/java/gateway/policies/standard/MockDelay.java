package gateway.policies.standard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Lets requests wait before they are answered, so many at once that others have places too: past them nobody waits.
final class MockDelay {
    private static final int MOST = 32; // an eighth of the places of the smallest tier

    private final long nanos;
    private final AtomicInteger waiting = new AtomicInteger();

    MockDelay(Duration delay) {
        this.nanos = delay.toNanos();
    }

    /// On the request's thread, which carries others meanwhile.
    void await() {
        if (nanos == 0) return;
        try {
            if (waiting.incrementAndGet() > MOST) return;
            long until = System.nanoTime() + nanos;
            for (long left = nanos;
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = until - System.nanoTime()) LockSupport.parkNanos(this, left);
        } finally {
            waiting.decrementAndGet();
        }
    }
}
