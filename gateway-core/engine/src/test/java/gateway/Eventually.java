package gateway;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Waits in tests for what another thread or process brings about. Never for ever: a test that waits in vain is to
/// fail,
/// and those behind it are to run.
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = 500_000;

    private Eventually() {}

    /// Looks again and again until `condition` holds.
    ///
    /// @throws AssertionError after three minutes, or when it is interrupted or the look itself fails
    public static void until(Callable<Boolean> condition) {
        until(condition, () -> "not what the test waits for");
    }

    /// Looks again and again until `condition` holds.
    ///
    /// @param seen what there is instead, for the message
    /// @throws AssertionError after three minutes, or when it is interrupted or the look itself fails
    public static void until(Callable<Boolean> condition, Supplier<?> seen) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (Thread.interrupted()) throw new AssertionError("interrupted, still " + seen.get());
            if (System.nanoTime() - deadline > 0) throw new AssertionError("still " + seen.get());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean holds(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError("could not look: " + e, e);
        }
    }
}
