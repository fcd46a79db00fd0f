package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.FakeServices;
import gateway.policy.LimitPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;

/// Policies of one type from JSON, as tests write them.
///
/// ```java
/// private final Reading filter = new Reading(new IpFilter.Type());
/// Optional<Response> stop = filter.policy("{'deny': ['10.0.0.1']}").stop(exchange);
/// ```
record Reading(PolicyType type, FakeServices services) {
    Reading(PolicyType type) {
        this(type, new FakeServices());
    }

    /// What is wrong with `json`, in which quotes are single ones, each as `pointer: message`.
    List<String> problems(String json) {
        var node = node(json);
        node.field("type");
        node.field("when");
        node.field("onOutage");
        type.read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    PolicySpec spec(String json) {
        var node = node(json);
        PolicySpec spec = type.read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec;
    }

    Compiled policy(String json) {
        return policy(json, new PolicyPlace("orders", type.name()));
    }

    Compiled policy(String json, PolicyPlace placement) {
        return switch (spec(json).compile(placement, services)) {
            case Policy policy -> new Compiled(policy);
            case LimitPolicy limit -> new Compiled(exchange -> decide(limit, exchange));
        };
    }

    private Verdict decide(LimitPolicy limit, Exchange exchange) {
        var charge = limit.charge(exchange);
        if (charge.isEmpty()) return Verdict.proceed();
        var permits = services.limits().acquire(List.of(charge.get()));
        return limit.settle(exchange, permits.getFirst());
    }

    private static ConfigNode node(String json) {
        return ConfigNode.parse(json.replace('\'', '"'));
    }

    /// One policy, asked as a pipeline of it alone would.
    record Compiled(Policy policy) {
        /// The answer that ends the request; empty when it goes on.
        Optional<Response> stop(Exchange exchange) {
            return switch (policy.apply(exchange)) {
                case Verdict.Stop(Response response) -> Optional.of(response);
                case Verdict.Answer(Response response, var _) -> Optional.of(response);
                case Verdict.Proceed(var _) -> Optional.empty();
            };
        }

        /// What becomes of the upstream's answer on its way back.
        Response comingBack(Exchange exchange, Response response) {
            return switch (policy.apply(exchange)) {
                case Verdict.Stop(Response stop) -> stop;
                case Verdict.Answer(Response answer, var _) -> answer;
                case Verdict.Proceed(var followup) -> {
                    exchange.answered(response);
                    Response changed = followup.onResponse(response);
                    followup.onEnd(new Outcome(changed.status(), Outcome.Ending.COMPLETE, 0, 0));
                    yield changed;
                }
            };
        }
    }

    /// The `detail` of a problem response.
    static String detail(Response response) {
        return text(response, "detail");
    }

    /// The `type` of a problem response without its prefix.
    static String problem(Response response) {
        return text(response, "type").replace("urn:gateway:problem:", "");
    }

    private static String text(Response response, String member) {
        byte[] content = response.body().bytes(Long.MAX_VALUE);
        return ConfigNode.parse(new String(content, java.nio.charset.StandardCharsets.UTF_8))
                .field(member)
                .text();
    }
}
