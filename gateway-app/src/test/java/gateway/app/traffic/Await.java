package gateway.app.traffic;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for what another thread or process does.
final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private Await() {}

    /// @throws AssertionError with `seen` when `condition` does not come true
    static void until(BooleanSupplier condition, Supplier<?> seen) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("still " + seen.get());
            LockSupport.parkNanos(2_000_000);
        }
    }
}
