package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.OperationDefinition;
import gateway.config.PolicyLists;
import gateway.pipeline.Pipeline;
import gateway.policy.PolicyDefinition;
import gateway.policy.Services;
import gateway.route.Route;
import gateway.route.RouteOperations;
import java.util.LinkedHashMap;
import java.util.List;

/// Makes the routes of operations: each has a pipeline of its own, with the policies of the API and its own.
final class OperationsCompiler {
    private OperationsCompiler() {}

    /// `route` with those of its API, which has none itself.
    ///
    /// @param policies that the route's pipeline was made of
    /// @throws gateway.json.InvalidConfigException when policies of an operation cannot be made ready
    static Route with(Route route, List<PolicyDefinition> policies, Services services) {
        ApiDefinition api = route.api();
        if (api.operations().isEmpty()) return route;
        var routes = new LinkedHashMap<OperationDefinition, Route>();
        for (OperationDefinition operation : api.operations()) {
            var all = PolicyLists.joined(List.of(policies, operation.policies()));
            var pipeline = Pipeline.compile(api.id(), all, route.pipeline().upstream(), services);
            routes.put(
                    operation,
                    new Route(
                            api.in(operation), route.path(), pipeline, route.forwarded(), route.version(), null, null));
        }
        return route.among(new RouteOperations(routes));
    }
}
