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
public record HealthCheckDefinition(
        Type type,
        String path,
        Duration interval,
        Duration timeout,
        int healthy,
        int unhealthy,
        Set<Integer> statuses) {
    public HealthCheckDefinition {
        statuses = Set.copyOf(statuses);
    }

    public enum Type {
        /// A `GET` whose answer's status tells.
        HTTP,
        /// A connection that can be made is enough.
        TCP
    }

    public boolean isGood(int status) {
        return statuses.isEmpty() ? status >= 200 && status < 400 : statuses.contains(status);
    }
}
