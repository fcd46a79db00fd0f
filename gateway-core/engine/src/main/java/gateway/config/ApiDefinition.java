package gateway.config;

import gateway.policy.ErrorForms;
import gateway.policy.PolicyDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One API: which requests it serves, what is done to them and where they go.
///
/// @param stripPath send the path without the matched prefix
/// @param encodedSlashes let `%2F` and `%5C` pass in the path rather than answer 400
/// @param pathParameters what becomes of `;` parameters; refused where policies decide by the path, unless chosen
/// @param webSocket pass WebSocket handshakes on rather than serve them as plain requests
/// @param maxBodyBytes most bytes of a request body, streamed or held
/// @param upstream where requests go whose version has none of its own
/// @param policies for every version
/// @param trafficLog always masks the fields in which the policies look for credentials
/// @param errors how the gateway's own refusals and failures are told, whichever version or operation has them
/// @param versions empty: there is but one
/// @param operations of every version
public record ApiDefinition(
        String id,
        String name,
        boolean enabled,
        MatchDefinition match,
        boolean stripPath,
        boolean encodedSlashes,
        PathParameters pathParameters,
        boolean webSocket,
        long maxBodyBytes,
        UpstreamDefinition upstream,
        List<PolicyDefinition> policies,
        TrafficLogDefinition trafficLog,
        ErrorForms errors,
        Optional<VersionsDefinition> versions,
        List<OperationDefinition> operations) {
    public ApiDefinition {
        policies = List.copyOf(policies);
        operations = List.copyOf(operations);
        for (PolicyDefinition policy : all(policies, versions, operations)) {
            trafficLog = trafficLog.hiding(policy.spec().credentials());
            if (policy.decidesByPath()) pathParameters = pathParameters.whereDecidedByPath();
        }
    }

    /// An API without versions that passes WebSockets on and whose requests are all recorded, or none.
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
                PathParameters.USUAL,
                true,
                maxBodyBytes,
                upstream,
                policies,
                trafficLog ? TrafficLogDefinition.ON : TrafficLogDefinition.OFF,
                ErrorForms.NONE,
                Optional.empty(),
                List.of());
    }

    /// Those of its versions and operations among them.
    public List<PolicyDefinition> allPolicies() {
        return all(policies, versions, operations);
    }

    /// This API as one of its versions makes it.
    public ApiDefinition in(VersionDefinition version) {
        return new ApiDefinition(
                id,
                name,
                enabled,
                match,
                stripPath,
                encodedSlashes,
                pathParameters,
                webSocket,
                maxBodyBytes,
                version.upstream().orElse(upstream),
                PolicyLists.joined(List.of(policies, version.policies())),
                trafficLog,
                errors,
                Optional.empty(),
                operations);
    }

    /// This API, or a version of it, as one of its operations makes it.
    public ApiDefinition in(OperationDefinition operation) {
        return new ApiDefinition(
                id,
                name,
                enabled,
                match,
                stripPath,
                encodedSlashes,
                pathParameters,
                webSocket,
                maxBodyBytes,
                upstream,
                PolicyLists.joined(List.of(policies, operation.policies())),
                trafficLog,
                errors,
                Optional.empty(),
                List.of());
    }

    private static List<PolicyDefinition> all(
            List<PolicyDefinition> shared,
            Optional<VersionsDefinition> versions,
            List<OperationDefinition> operations) {
        if (versions.isEmpty() && operations.isEmpty()) return shared;
        var all = new ArrayList<List<PolicyDefinition>>();
        all.add(shared);
        versions.ifPresent(found -> found.list().forEach(version -> all.add(version.policies())));
        for (OperationDefinition operation : operations) all.add(operation.policies());
        return PolicyLists.joined(all);
    }
}
