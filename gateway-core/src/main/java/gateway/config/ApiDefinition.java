package gateway.config;

import java.util.List;

/// One API: which requests it serves, what is done to them and where they go.
///
/// @param stripPath send the path without the matched prefix
/// @param encodedSlashes let `%2F` and `%5C` pass in the path rather than answer 400
/// @param maxBodyBytes most bytes of a request body, streamed or held
/// @param trafficLog always masks the fields in which the policies look for credentials
public record ApiDefinition(
        String id,
        String name,
        boolean enabled,
        MatchDefinition match,
        boolean stripPath,
        boolean encodedSlashes,
        long maxBodyBytes,
        UpstreamDefinition upstream,
        List<PolicyDefinition> policies,
        TrafficLogDefinition trafficLog) {
    public ApiDefinition {
        policies = List.copyOf(policies);
        for (PolicyDefinition policy : policies)
            trafficLog = trafficLog.hiding(policy.spec().credentials());
    }

    /// An API whose requests are all recorded, or none.
    public ApiDefinition(
            String id,
            String name,
            boolean enabled,
            MatchDefinition match,
            boolean stripPath,
            boolean encodedSlashes,
            long maxBodyBytes,
            UpstreamDefinition upstream,
            List<PolicyDefinition> policies,
            boolean trafficLog) {
        this(
                id,
                name,
                enabled,
                match,
                stripPath,
                encodedSlashes,
                maxBodyBytes,
                upstream,
                policies,
                trafficLog ? TrafficLogDefinition.ON : TrafficLogDefinition.OFF);
    }
}
