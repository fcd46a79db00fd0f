package gateway.app.traffic;

import gateway.app.traffic.TrafficState.Condition;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What goes wrong in the shipper's thread and is nobody's in particular: it must not end the thread, for then every
/// later record would be lost in silence. Said at most once a minute, and tried again ever more slowly.
final class ShipperFailures {
    private static final Logger log = LoggerFactory.getLogger(ShipperFailures.class);
    private static final long QUIET = Duration.ofMinutes(1).toNanos();

    private final Backoff backoff = new Backoff(
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            bound -> ThreadLocalRandom.current().nextLong(bound));
    private boolean told;
    private long toldAt;
    private volatile @Nullable TrafficState state;

    /// How the log is while the last attempt has failed.
    Optional<TrafficState> state() {
        return Optional.ofNullable(state);
    }

    boolean mayTry(long nowNanos) {
        return backoff.mayTry(nowNanos);
    }

    /// Does `work`, whatever comes of it, errors of the machine included.
    ///
    /// @return what it answers; false when it threw
    boolean pass(long nowNanos, BooleanSupplier work) {
        try {
            boolean worked = work.getAsBoolean();
            backoff.worked();
            state = null;
            return worked;
        } catch (Throwable e) {
            backoff.failed(nowNanos);
            state = new TrafficState(Condition.AWAY, "the traffic log stumbled: " + e);
            tell(nowNanos, "the traffic log stumbled, and goes on", e);
            return false;
        }
    }

    void tell(long nowNanos, String what, Throwable failure) {
        if (told && nowNanos - toldAt < QUIET) return;
        told = true;
        toldAt = nowNanos;
        log.error("{}; said once a minute at most", what, failure);
    }
}
