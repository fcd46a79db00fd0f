package gateway.app.steering;

import java.util.Optional;

/// One place that requests of an upstream can go to: a target, or one address of a target's name.
///
/// @param name tells it from others: host and port, scheme and base path
/// @param weight 0 takes no new requests
/// @param health what checks say of it; empty when it is not checked
public record Endpoint(String name, int weight, TargetState state, Optional<TargetHealth> health) {
    /// Whether requests go there, and if not, why.
    public enum Standing {
        USABLE,
        /// Of weight 0.
        DRAINED,
        /// Its checks say so.
        UNHEALTHY,
        /// For the failures of late.
        EJECTED
    }

    boolean isHealthy() {
        return health.isEmpty() || health.get().isHealthy();
    }
}
