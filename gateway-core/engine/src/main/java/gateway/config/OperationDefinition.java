package gateway.config;

import gateway.policy.PolicyDefinition;
import java.util.List;
import java.util.Set;

/// Requests of an API that have policies besides those of the API.
///
/// @param path a prefix below the path of the API's match, behind the version that it may name
/// @param methods empty: every one
/// @param policies besides those of the API and of the version
public record OperationDefinition(String id, String path, Set<String> methods, List<PolicyDefinition> policies) {
    public OperationDefinition {
        methods = Set.copyOf(methods);
        policies = List.copyOf(policies);
    }
}
