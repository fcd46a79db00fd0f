package gateway.policies.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyType;
import java.util.List;
import java.util.ServiceLoader;

/// One policy of this module in a pipeline, as a definition writes it, and what came through it.
public final class PolicyRun {
    private final FakeServices services;
    private final List<PolicyDefinition> policies;
    private Response upstream = Response.of(200);
    private String arrived = "";
    private List<String> reported = List.of();
    private Exchange last = Exchanges.get("/").make();

    private PolicyRun(FakeServices services, List<PolicyDefinition> policies) {
        this.services = services;
        this.policies = policies;
    }

    public static PolicyRun of(String policy) {
        return of(policy, new FakeServices());
    }

    public static PolicyRun of(String policy, FakeServices services) {
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]},
                 "policies": [%s]}""".formatted(policy));
        var types = ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        var policies = new DefinitionReader(PolicyRegistry.of(types)).read(node).policies();
        node.throwIfInvalid();
        var run = new PolicyRun(services, policies);
        run.pipeline(); // which says what is wrong with it
        return run;
    }

    /// From now on the upstream answers so.
    public PolicyRun answering(Response answer) {
        upstream = answer;
        return this;
    }

    public PolicyRun answering(String json) {
        return answering(Response.of(200, "application/json", json.getBytes(UTF_8)));
    }

    public Response send(Exchanges request) {
        arrived = "";
        last = request.make();
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Response answer = pipeline().run(last, run);
        reported = run.reported();
        return answer;
    }

    public Response post(String json) {
        return send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .body(json));
    }

    /// The body that the upstream got; empty when it was not asked.
    public String arrived() {
        return arrived;
    }

    /// What was reported of the last request, as `step:reason`.
    public List<String> reported() {
        return reported;
    }

    /// The request as the upstream got it.
    public Exchange last() {
        return last;
    }

    public static String text(Response answer) {
        return new String(answer.body().bytes(1 << 24), UTF_8);
    }

    /// Status, and what is told under `errors`, as `422 /a: type: expected string`.
    public static String told(Response answer) {
        var told = new StringBuilder().append(answer.status());
        if (answer.reason().isEmpty()) return told.toString();
        told.append(' ').append(answer.reason());
        for (var each : Json.parse(text(answer)).path("errors").values()) {
            told.append(' ').append(each.get("pointer").stringValue());
            told.append(": ").append(each.get("message").stringValue());
        }
        return told.toString();
    }

    private Pipeline pipeline() {
        return Pipeline.compile(
                "orders",
                policies,
                (exchange, _) -> {
                    arrived = new String(exchange.outgoing().body().bytes(1 << 24), UTF_8);
                    return upstream;
                },
                services);
    }
}
