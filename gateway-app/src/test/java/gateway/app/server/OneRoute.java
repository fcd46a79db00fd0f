package gateway.app.server;

import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.PathPattern;
import gateway.pipeline.Pipeline;
import gateway.policy.FakeServices;
import gateway.route.Route;
import gateway.route.RouteTable;
import gateway.service.Upstream;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Snapshots with one API and no policies.
final class OneRoute {
    private OneRoute() {}

    static UpstreamDefinition to(String url) {
        return new UpstreamDefinition(
                List.of(new TargetDefinition(URI.create(url), 1)),
                UpstreamDefinition.Balance.ROUND_ROBIN,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                false);
    }

    static ApiDefinition api(String path, boolean stripPath, UpstreamDefinition upstream) {
        return new ApiDefinition(
                "orders",
                "Orders",
                true,
                new MatchDefinition(List.of(), path, Set.of()),
                stripPath,
                false,
                Long.MAX_VALUE,
                upstream,
                List.of(),
                false);
    }

    static LiveSnapshot live(ApiDefinition api, Function<UpstreamDefinition, Upstream> upstreams) {
        var pipeline = Pipeline.compile(api.id(), api.policies(), upstreams.apply(api.upstream()), new FakeServices());
        var live = new LiveSnapshot();
        var route = new Route(api, PathPattern.of(api.match().path()), pipeline);
        live.replace(new Snapshot(1, RouteTable.of(List.of(route)), Map.of(), List.of()));
        return live;
    }
}
