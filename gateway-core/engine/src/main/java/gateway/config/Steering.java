package gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How requests are led to an upstream's targets, and kept from those that are not well. All of it is optional: an
/// upstream with none of it is called directly.
///
/// @param name of the upstream: the API's id, with `/` and its name that of a version, with `#` and its name that of a
/// branch. What is known of it outlasts a reload under this name
/// @param hashBy what consistent hashing goes by
/// @param slowStart until a target that came back takes its full share; zero: at once
/// @param dnsRefresh age at which the addresses of a name are asked for again
/// @param split which requests go to other targets
/// @param mirror where copies of requests go
public record Steering(
        String name,
        RequestTrait hashBy,
        Optional<HealthCheckDefinition> healthCheck,
        Optional<EjectionDefinition> ejection,
        Duration slowStart,
        Optional<CircuitBreakerDefinition> circuitBreaker,
        Optional<RetryDefinition> retry,
        Optional<BulkheadDefinition> bulkhead,
        Duration dnsRefresh,
        Optional<SplitDefinition> split,
        Optional<MirrorDefinition> mirror) {
    public static final Duration USUAL_DNS_REFRESH = Duration.ofSeconds(30);

    /// Nothing of it.
    public static final Steering NONE = named("");

    static Steering named(String name) {
        return new Steering(
                name,
                RequestTrait.IP,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                USUAL_DNS_REFRESH,
                Optional.empty(),
                Optional.empty());
    }

    /// Whether targets have to be watched or chosen by more than their weights.
    public boolean isOff() {
        return List.of(healthCheck, ejection, circuitBreaker, retry, bulkhead).stream()
                        .allMatch(Optional::isEmpty)
                && slowStart.isZero();
    }

    /// The same for one branch; for the upstream's own targets when `branch` is empty.
    Steering ofBranch(String branch) {
        return new Steering(
                branch.isEmpty() ? name : name + "#" + branch,
                hashBy,
                healthCheck,
                ejection,
                slowStart,
                circuitBreaker,
                retry,
                bulkhead,
                dnsRefresh,
                Optional.empty(),
                Optional.empty());
    }

    /// Without what decides about requests rather than endpoints.
    Steering endpointsOnly() {
        return new Steering(
                name,
                RequestTrait.IP,
                healthCheck,
                ejection,
                slowStart,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                dnsRefresh,
                Optional.empty(),
                Optional.empty());
    }
}
