package gateway.policies.script;

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
import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptBounds;
import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptFailedException;
import gateway.policies.script.run.ScriptLog;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyType;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

/// One script in a pipeline, and what came through it.
final class ScriptRun {
    private final FakeServices services = new FakeServices();
    private final List<PolicyDefinition> policies;
    private final Pipeline pipeline;
    private Response upstream = Response.of(200);
    private String arrived = "";
    private Exchange last = Exchanges.get("/").make();

    /// @param more fields of the policy, each with a comma behind it
    private ScriptRun(String more, String source) {
        var policy = (tools.jackson.databind.node.ObjectNode) Json.parse("{" + more + "\"type\": \"script\"}");
        if (!source.isEmpty()) policy.put("source", source);
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]},
                 "policies": [%s]}""".formatted(policy));
        var types = ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        policies = new DefinitionReader(PolicyRegistry.of(types)).read(node).policies();
        node.throwIfInvalid();
        pipeline = Pipeline.compile(
                "orders",
                policies,
                (exchange, _) -> {
                    arrived = new String(exchange.outgoing().body().bytes(1 << 24), UTF_8);
                    return upstream;
                },
                services);
    }

    static ScriptRun of(String source) {
        return new ScriptRun("", source);
    }

    static ScriptRun with(String more, String source) {
        return new ScriptRun(more + ", ", source);
    }

    FakeServices services() {
        return services;
    }

    /// From now on the upstream answers so.
    ScriptRun answering(Response answer) {
        upstream = answer;
        return this;
    }

    Response send(Exchanges request) {
        arrived = "";
        last = request.make();
        return pipeline.run(last, new PipelineRun(UpstreamWaiter.NOBODY));
    }

    Response get() {
        return send(Exchanges.get("/items"));
    }

    Response post(String body) {
        return send(Exchanges.of("POST", "/items")
                .with("Content-Type", "application/json")
                .body(body));
    }

    /// The body that the upstream got; empty when it was not asked.
    String arrived() {
        return arrived;
    }

    /// The request as the upstream got it.
    Exchange last() {
        return last;
    }

    /// The value of a variable that the script has left.
    String variable(String name) {
        return last.fact(gateway.policy.Variables.place("var." + name))
                .map(value -> value.asString())
                .orElse("");
    }

    static String text(Response answer) {
        return new String(answer.body().bytes(1 << 24), UTF_8);
    }

    /// Why a script fails; empty when it does not.
    static String failure(String source) {
        var services = new FakeServices();
        var program = gateway.policies.script.javascript.JavaScript.compile(source, services);
        var log = new ScriptLog("orders/script", services.clock());
        var message = ScriptMessage.ofRequest(Exchanges.get("/items").make(), ScriptBody.NONE, services.clock(), log);
        var bounds = new ScriptBounds(Duration.ofSeconds(1), 100_000_000, 64 << 20);
        try {
            program.run(message, ScriptBudget.begin(bounds));
            return "";
        } catch (ScriptFailedException | ScriptStoppedError e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// What a script computes: the text of the value of `expression`, or what became of the run.
    static String value(String expression) {
        var run = of("vars.a = String(" + expression + ");");
        Response answer = run.get();
        return answer.status() == 200 ? run.variable("a") : answer.status() + " " + run.last().labels().get("script");
    }
}
