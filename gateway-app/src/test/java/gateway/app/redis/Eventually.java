package gateway.app.redis;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what other processes bring about.
final class Eventually {
    private Eventually() {}

    /// Looks every few milliseconds until `condition` holds; fails after half a minute.
    static void holds(BooleanSupplier condition) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) throw new AssertionError("still not so after half a minute");
            LockSupport.parkNanos(5_000_000);
        }
    }
}
