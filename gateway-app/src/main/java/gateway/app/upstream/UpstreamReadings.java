package gateway.app.upstream;

import gateway.app.steering.Breaker;
import gateway.app.steering.Bulkhead;
import gateway.app.steering.Group;
import gateway.app.steering.RetryBudget;
import gateway.service.Upstream;
import java.util.Optional;

/// What is known of an upstream whose targets are watched, for people and meters. Reading costs requests nothing.
///
/// @param group empty while no address of its targets is known
/// @param breaker empty when it has none; likewise `retries` and `bulkhead`
public record UpstreamReadings(
        Optional<Group> group, Optional<Breaker> breaker, Optional<RetryBudget> retries, Optional<Bulkhead> bulkhead) {
    /// Empty when nothing of `upstream` is watched.
    public static Optional<UpstreamReadings> of(Upstream upstream) {
        return upstream instanceof SteeredUpstream steered ? Optional.of(of(steered)) : Optional.empty();
    }

    private static UpstreamReadings of(SteeredUpstream upstream) {
        return new UpstreamReadings(
                Optional.ofNullable(upstream.endpoints().known()),
                Optional.ofNullable(upstream.breaker()),
                Optional.ofNullable(upstream.retrying()).map(Retrying::budget),
                Optional.ofNullable(upstream.bulkhead()));
    }
}
