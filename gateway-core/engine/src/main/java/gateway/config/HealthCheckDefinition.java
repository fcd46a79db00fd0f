package gateway.config;

import java.time.Duration;
import java.util.Set;

/// How targets are asked whether they are well.
///
/// @param path of the HTTP request, with its query
/// @param interval from the begin of one check to the next, varied by a tenth
/// @param timeout for the whole check
/// @param healthy good answers in a row that bring a target back
/// @param unhealthy failed checks in a row that take it out
/// @param statuses that are good; empty means 200 to 399
/// @param service of gRPC that is asked about; empty text: the server as a whole
public record HealthCheckDefinition(
        Type type,
        String path,
        Duration interval,
        Duration timeout,
        int healthy,
        int unhealthy,
        Set<Integer> statuses,
        String service) {
    public HealthCheckDefinition {
        statuses = Set.copyOf(statuses);
    }

    /// By HTTP or TCP.
    public HealthCheckDefinition(
            Type type,
            String path,
            Duration interval,
            Duration timeout,
            int healthy,
            int unhealthy,
            Set<Integer> statuses) {
        this(type, path, interval, timeout, healthy, unhealthy, statuses, "");
    }

    public enum Type {
        /// A `GET` whose answer's status tells.
        HTTP,
        /// A connection that can be made is enough.
        TCP,
        /// A call of `grpc.health.v1.Health/Check` that tells SERVING.
        GRPC
    }

    public boolean isGood(int status) {
        return statuses.isEmpty() ? status >= 200 && status < 400 : statuses.contains(status);
    }
}
