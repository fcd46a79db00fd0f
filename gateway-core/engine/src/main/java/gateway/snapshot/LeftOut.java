package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.TrafficLogDefinition;
import gateway.http.PathPattern;
import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.pipeline.Pipeline;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.route.Route;
import gateway.service.Upstream;
import java.util.List;
import java.util.Optional;

/// What serves the requests of an API that cannot be compiled: it keeps its match and answers 503, so that no broader
/// API, with other policies, takes them.
final class LeftOut {
    /// Where requests go that no pipeline lets through.
    static final Upstream NOWHERE = (exchange, waiter) -> {
        throw new IllegalStateException("a refused request goes nowhere");
    };

    private LeftOut() {}

    /// @param api as far as it could be read
    /// @param problems pointing into it
    /// @return empty when it is disabled, or when its match is not known
    static Optional<Route> route(ApiDefinition api, List<ConfigProblem> problems, Services services) {
        if (!api.enabled() || problems.stream().anyMatch(LeftOut::hidesMatch)) return Optional.empty();
        var refusing = new PolicyDefinition("not-configured", Stage.GUARD, new Refusal(), Condition.ALWAYS);
        var pipeline = Pipeline.compile(api.id(), List.of(refusing), NOWHERE, services);
        return Optional.of(new Route(bare(api), PathPattern.of(api.match().path()), pipeline));
    }

    /// What its policies would have masked in the traffic log is not known, so nothing but the standing fields is
    /// recorded.
    private static ApiDefinition bare(ApiDefinition api) {
        return new ApiDefinition(
                api.id(),
                api.name(),
                true,
                api.match(),
                false,
                api.encodedSlashes(),
                api.pathParameters(),
                false,
                api.maxBodyBytes(),
                api.upstream(),
                List.of(),
                TrafficLogDefinition.ON,
                api.errors(),
                Optional.empty(),
                List.of());
    }

    private static boolean hidesMatch(ConfigProblem problem) {
        String pointer = problem.pointer();
        return pointer.isEmpty()
                || pointer.equals("/id")
                || pointer.equals("/enabled")
                || pointer.equals("/match")
                || pointer.startsWith("/match/");
    }

    private record Refusal() implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return (Policy) exchange -> Verdict.stop(Problem.of(
                            "not-configured",
                            503,
                            "Service unavailable",
                            "This API cannot be served as it is configured")
                    .toResponse(exchange.requestId()));
        }
    }
}
