package gateway.app.traffic;

import gateway.app.traffic.TrafficState.Condition;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether Elasticsearch takes records. Says so in the log when that changes, at most once a minute.
final class Availability {
    private static final Logger log = LoggerFactory.getLogger(Availability.class);
    private static final long QUIET = Duration.ofMinutes(1).toNanos();

    private final Backoff backoff;
    private final LongSupplier nanos;
    private final ClusterHealth health;
    private boolean ready;
    private boolean told;
    private long toldAt;
    private boolean spillTold;
    private long spillToldAt;
    private volatile TrafficState state = new TrafficState(Condition.STARTING, "Elasticsearch has not answered yet");

    Availability(Backoff backoff, LongSupplier nanos, ClusterHealth health) {
        this.backoff = backoff;
        this.nanos = nanos;
        this.health = health;
    }

    TrafficState state() {
        return health.with(state);
    }

    /// Asks the cluster how it is, now and then, as long as it answers.
    void askForHealth(long nowNanos) {
        if (ready && !isAway()) health.ask(nowNanos);
    }

    /// Whether the index template is in place.
    boolean isReady() {
        return ready;
    }

    boolean isAway() {
        return backoff.isFailing();
    }

    boolean mayTry(long nowNanos) {
        return backoff.mayTry(nowNanos);
    }

    void ready() {
        ready = true;
        worked();
    }

    void worked() {
        if (backoff.isFailing() && told) {
            log.info("Elasticsearch takes traffic records again");
            told = false;
        }
        backoff.worked();
        if (state.condition() != Condition.SHIPPING) state = new TrafficState(Condition.SHIPPING, "");
    }

    void failed(String reason) {
        long now = nanos.getAsLong();
        backoff.failed(now);
        state = new TrafficState(Condition.AWAY, reason);
        if (told || (toldAt != 0 && now - toldAt < QUIET)) return;
        told = true;
        toldAt = now;
        log.warn("Elasticsearch does not take traffic records, they go to disk: {}", reason);
    }

    void spillFailed(String reason) {
        long now = nanos.getAsLong();
        if (spillTold && now - spillToldAt < QUIET) return;
        spillTold = true;
        spillToldAt = now;
        log.error("traffic records are dropped, the spill folder does not take them: {}", reason);
    }
}
