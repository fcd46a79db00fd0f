package gateway.app.proxy;

import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.PathPattern;
import gateway.pipeline.Pipeline;
import gateway.policy.BodyUse;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.route.Route;
import gateway.route.RouteTable;
import gateway.service.Upstream;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Snapshots with one API.
final class OneRoute {
    private OneRoute() {}

    static UpstreamDefinition to(String url) {
        return to(new TargetDefinition(URI.create(url), 1));
    }

    static UpstreamDefinition to(TargetDefinition target) {
        return to(target, Duration.ofSeconds(2));
    }

    static UpstreamDefinition to(TargetDefinition target, Duration connectTimeout) {
        return to(target, connectTimeout, Duration.ofSeconds(30));
    }

    /// For what takes long on a machine that is busy with other things.
    static UpstreamDefinition patientlyTo(TargetDefinition target) {
        return to(target, Duration.ofMinutes(1), Duration.ofMinutes(5));
    }

    private static UpstreamDefinition to(TargetDefinition target, Duration connectTimeout, Duration timeout) {
        return new UpstreamDefinition(
                List.of(target), UpstreamDefinition.Balance.ROUND_ROBIN, connectTimeout, timeout, timeout, false);
    }

    static ApiDefinition api(String path, boolean stripPath, UpstreamDefinition upstream) {
        return api(path, stripPath, upstream, Long.MAX_VALUE);
    }

    static ApiDefinition api(String path, boolean stripPath, UpstreamDefinition upstream, long maxBodyBytes) {
        return new ApiDefinition(
                "orders",
                "Orders",
                true,
                new MatchDefinition(List.of(), path, Set.of()),
                stripPath,
                false,
                maxBodyBytes,
                upstream,
                List.of(),
                true);
    }

    static LiveSnapshot live(ApiDefinition api, Function<UpstreamDefinition, Upstream> upstreams, Policy... policies) {
        var steps = Arrays.stream(policies).map(OneRoute::step).toList();
        var pipeline = Pipeline.compile(api.id(), steps, upstreams.apply(api.upstream()), new FakeServices());
        var live = new LiveSnapshot();
        var route = new Route(api, PathPattern.of(api.match().path()), pipeline);
        live.replace(
                new Snapshot(1, RouteTable.of(List.of(route)), Map.of(), Snapshot.EMPTY.sets(), Map.of(), List.of()));
        return live;
    }

    private static PolicyDefinition step(Policy policy) {
        var onWorker = policy instanceof OnWorker;
        var stage = policy instanceof ForUpstream ? Stage.UPSTREAM : Stage.GUARD;
        return new PolicyDefinition("test", stage, new Spec(policy, onWorker), Condition.ALWAYS);
    }

    /// A policy that asks for a thread of the JDK's scheduler.
    interface OnWorker extends Policy {}

    /// A policy of the stage UPSTREAM.
    interface ForUpstream extends Policy {}

    /// A policy that needs bodies.
    record WithBodies(BodyUse use, Policy policy) implements Policy {
        @Override
        public Verdict apply(Exchange exchange) {
            return policy.apply(exchange);
        }
    }

    private record Spec(Policy policy, boolean onWorker) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return policy;
        }

        @Override
        public BodyUse bodyUse() {
            return policy instanceof WithBodies needing ? needing.use() : BodyUse.NONE;
        }

        @Override
        public RunsOn runsOn() {
            return onWorker ? RunsOn.WORKER : RunsOn.REQUEST_THREAD;
        }
    }
}
