package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.PathPattern;
import gateway.pipeline.Pipeline;
import gateway.policy.Services;
import gateway.route.Route;
import gateway.service.Upstream;
import java.util.function.Function;

/// Makes routes of definitions.
final class RouteCompiler {
    private final Function<UpstreamDefinition, Upstream> upstreams;

    RouteCompiler(Function<UpstreamDefinition, Upstream> upstreams) {
        this.upstreams = upstreams;
    }

    /// @throws gateway.json.InvalidConfigException when something that the definition names cannot be used
    Route compile(ApiDefinition api, Services services) {
        if (api.versions().isPresent()) {
            return new VersionsCompiler(api, api.versions().get(), services, upstreams).compile();
        }
        var pipeline = Pipeline.compile(api.id(), api.policies(), upstreams.apply(api.upstream()), services);
        var route = new Route(api, PathPattern.of(api.match().path()), pipeline);
        return OperationsCompiler.with(route, api.policies(), services);
    }
}
