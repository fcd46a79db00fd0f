package gateway.config;

import gateway.policy.PolicyDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One version of an API.
///
/// @param name letters, digits, `.`, `_` and `-`, so that it is written in one way only
/// @param expires from then on it answers 403
/// @param deprecatedSince for the `Deprecation` header (RFC 9745); may lie ahead
/// @param sunset for the `Sunset` header (RFC 8594): when it is expected to go
/// @param link what tells more of its end
/// @param upstream empty: the API's
/// @param policies besides those of the API
public record VersionDefinition(
        String name,
        Optional<Instant> expires,
        Optional<Instant> deprecatedSince,
        Optional<Instant> sunset,
        Optional<String> link,
        Optional<UpstreamDefinition> upstream,
        List<PolicyDefinition> policies) {
    public VersionDefinition {
        policies = List.copyOf(policies);
    }
}
