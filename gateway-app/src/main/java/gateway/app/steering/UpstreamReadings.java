package gateway.app.steering;

import gateway.config.UpstreamDefinition;
import gateway.service.Upstream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is known of an upstream, for people and meters. Reading costs requests nothing.
///
/// @param watched false: its targets are called in turn and nothing is noted
/// @param group empty while no address of its targets is known
/// @param breaker empty when it has none; likewise `retries` and `bulkhead`
/// @param mirror where copies go; these readings are then of the mirror alone
public record UpstreamReadings(
        UpstreamDefinition definition,
        boolean watched,
        Optional<Group> group,
        Optional<CircuitBreaker> breaker,
        Optional<RetryBudget> retries,
        Optional<Bulkhead> bulkhead,
        Optional<Mirror> mirror) {
    /// Of `upstream`; where it is split of each branch and itself last, and then of its mirror.
    public static List<UpstreamReadings> of(Upstream upstream) {
        return switch (upstream) {
            case HttpUpstream plain -> List.of(of(plain));
            case SteeredUpstream steered -> List.of(of(steered));
            case SplitUpstream split ->
                split.parts().stream().flatMap(part -> of(part).stream()).toList();
            case MirroredUpstream mirrored ->
                Stream.concat(of(mirrored.first()).stream(), Stream.of(of(mirrored.mirror())))
                        .toList();
            default -> List.of(); // none of this package: it calls nobody
        };
    }

    private static UpstreamReadings of(Mirror mirror) {
        return new UpstreamReadings(
                mirror.upstream(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(mirror));
    }

    /// The upstream's name, see [gateway.config.Steering].
    public String name() {
        return definition.steering().name();
    }

    private static UpstreamReadings of(HttpUpstream upstream) {
        return new UpstreamReadings(
                upstream.definition(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static UpstreamReadings of(SteeredUpstream upstream) {
        return new UpstreamReadings(
                upstream.definition(),
                true,
                Optional.ofNullable(upstream.endpoints().known()),
                Optional.ofNullable(upstream.breaker()),
                Optional.ofNullable(upstream.retrying()).map(Retrying::budget),
                Optional.ofNullable(upstream.bulkhead()),
                Optional.empty());
    }
}
