package gateway.route;

import gateway.config.VersionsDefinition;
import gateway.config.VersionsDefinition.In;
import gateway.policy.CompiledPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Verdict;

/// Takes the version off the header or query that the upstream is sent; the rest of the query stays as it is, byte for
/// byte.
///
/// @param in header or query: a path is cut where it is forwarded
public record VersionStrip(In in, String name) implements PolicySpec {
    public static VersionStrip of(VersionsDefinition versions) {
        return new VersionStrip(versions.in(), versions.name());
    }

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        return switch (in) {
            case HEADER ->
                (Policy) exchange -> {
                    exchange.outgoing().headers().remove(name);
                    return Verdict.proceed();
                };
            case QUERY ->
                (Policy) exchange -> {
                    exchange.outgoing().removeQueryParameter(name);
                    return Verdict.proceed();
                };
            case PATH -> (Policy) exchange -> Verdict.proceed();
        };
    }
}
