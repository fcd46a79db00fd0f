package gateway.policies.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policies.script.javascript.JavaScript;
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
import gateway.policy.Variables;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One script in a pipeline, and what came through it.
final class ScriptRun {
    private static final FakeServices SERVICES = new FakeServices();

    private final FakeServices services = new FakeServices();
    private final List<PolicyDefinition> policies;
    private final Pipeline pipeline;
    private Response upstream = Response.of(200);
    private String arrived = "";
    private Exchange last = Exchanges.get("/").make();

    /// @param more fields of the policy, each with a comma behind it
    private ScriptRun(String more, String source) {
        var policy = (ObjectNode) Json.parse("{" + more + "\"type\": \"script\"}");
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
        return variable(name, last);
    }

    private static String variable(String name, Exchange exchange) {
        return exchange.fact(Variables.place("var." + name))
                .map(JsonNode::asString)
                .orElse("");
    }

    static String text(Response answer) {
        return new String(answer.body().bytes(1 << 24), UTF_8);
    }

    /// Why a script fails; empty when it does not.
    static String failure(String source) {
        try {
            ran(source, Exchanges.get("/items").make());
            return "";
        } catch (ScriptFailedException | ScriptStoppedError e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// The value of an expression as a text, or why it has none.
    static String computed(String expression) {
        Exchange exchange = Exchanges.get("/items").make();
        try {
            ran("vars.computed = String(" + expression + ");", exchange);
            return variable("computed", exchange);
        } catch (ScriptFailedException | ScriptStoppedError | InvalidConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void ran(String source, Exchange exchange) {
        var log = new ScriptLog("orders/script", SERVICES.clock());
        var message = ScriptMessage.ofRequest(exchange, ScriptBody.NONE, SERVICES.clock(), log);
        var bounds = new ScriptBounds(Duration.ofSeconds(1), 100_000_000, 64 << 20);
        JavaScript.compile(source, SERVICES).run(message, ScriptBudget.begin(bounds));
    }

    /// What a script computes: the text of the value of `expression`, or what became of the run.
    static String value(String expression) {
        var run = of("vars.a = String(" + expression + ");");
        Response answer = run.get();
        return answer.status() == 200
                ? run.variable("a")
                : answer.status() + " " + run.last().labels().get("script");
    }
}
