package gateway.app.steering;

import gateway.config.HealthCheckDefinition;
import java.util.concurrent.atomic.AtomicLong;

/// What the checks of one target have found. Healthy until they say otherwise. Told by one thread, read by many.
public final class TargetHealth {
    private final HealthCheckDefinition definition;
    private final TargetState state;
    private final AtomicLong checks = new AtomicLong();
    private int inARow;
    private volatile boolean healthy = true;

    public TargetHealth(HealthCheckDefinition definition, TargetState state) {
        this.definition = definition;
        this.state = state;
    }

    public boolean isHealthy() {
        return healthy;
    }

    /// Checks that have ended.
    public long checks() {
        return checks.get();
    }

    /// Takes note of a check. The very first one alone decides, so that a target that is down at the start gets no
    /// requests. Answers whether the target has changed sides.
    public boolean checked(boolean good) {
        boolean first = checks.getAndIncrement() == 0;
        if (good == healthy) {
            inARow = 0;
            return false;
        }
        inARow++;
        if (!first && inARow < (good ? definition.healthy() : definition.unhealthy())) return false;
        inARow = 0;
        healthy = good;
        if (good) state.back();
        return true;
    }
}
