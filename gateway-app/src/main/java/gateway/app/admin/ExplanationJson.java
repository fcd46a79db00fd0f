package gateway.app.admin;

import gateway.config.Mask;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Outgoing;
import gateway.http.Response;
import gateway.json.Json;
import gateway.pipeline.StepExplanation;
import gateway.pipeline.StepExplanation.Said;
import gateway.policy.Condition;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.route.Route;
import gateway.service.Permit;
import gateway.snapshot.Explanation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How a request that nobody has sent would fare, as JSON. Credentials in it are `***`, as in the traffic log.
final class ExplanationJson {
    private ExplanationJson() {}

    static ObjectNode of(Explanation explanation) {
        Exchange exchange = explanation.exchange();
        Mask mask = explanation
                .route()
                .map(route -> route.api().trafficLog().mask())
                .orElse(Mask.USUAL);
        ObjectNode json = Json.mapper().createObjectNode().put("revision", explanation.revision());
        json.putObject("request")
                .put("method", exchange.method())
                .put("host", exchange.host())
                .put("path", exchange.path())
                .put("client", exchange.clientAddress().getHostAddress());
        explanation.route().ifPresent(route -> write(route, exchange, json.putObject("route")));
        ArrayNode steps = json.putArray("steps");
        for (StepExplanation step : explanation.steps()) steps.add(of(step));
        writeFindings(exchange, json);
        explanation.answer().ifPresent(answer -> write(answer, mask, json.putObject("answer")));
        if (explanation.answer().isEmpty())
            explanation.route().ifPresent(route -> write(exchange.outgoing(), route, mask, json.putObject("upstream")));
        return json;
    }

    private static void write(Route route, Exchange exchange, ObjectNode json) {
        json.put("api", route.apiId()).put("name", route.api().name());
        if (!route.versionName().isEmpty()) json.put("version", route.versionName());
        json.put("match", route.path().toString()).put("pathInApi", exchange.pathInApi());
    }

    private static ObjectNode of(StepExplanation step) {
        PolicyDefinition policy = step.policy();
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("step", policy.step())
                .put("type", policy.type())
                .put("stage", word(policy.stage()));
        if (policy.mode() == PolicyMode.REPORT) json.put("mode", "report");
        if (step.said() != Said.NOT_REACHED && !policy.when().equals(Condition.ALWAYS))
            json.put("condition", step.said() != Said.SKIPPED);
        json.put("verdict", word(step.said()));
        step.response().ifPresent(response -> {
            json.put("status", response.status());
            if (!response.reason().isEmpty()) json.put("reason", response.reason());
        });
        if (!step.why().isEmpty()) json.put("why", step.why());
        step.permit().ifPresent(permit -> write(permit, json.putObject("limit")));
        if (step.nanos() > 0) json.put("micros", step.nanos() / 1000.0);
        return json;
    }

    private static void write(Permit permit, ObjectNode json) {
        json.put("limit", permit.limit())
                .put("remaining", permit.remaining())
                .put("resetSeconds", Duration.ofNanos(permit.resetNanos()).toMillis() / 1000.0);
    }

    private static void writeFindings(Exchange exchange, ObjectNode json) {
        exchange.caller()
                .ifPresent(caller -> json.putObject("caller")
                        .put("id", caller.id())
                        .put("name", caller.name())
                        .put("accepted", exchange.consumer().isPresent()));
        exchange.fact(JsonPointer.empty())
                .filter(facts -> !facts.isEmpty())
                .ifPresent(facts -> json.set("facts", facts));
    }

    private static void write(Response answer, Mask mask, ObjectNode json) {
        json.put("status", answer.status());
        if (!answer.reason().isEmpty()) json.put("reason", answer.reason());
        writeHeaders(answer.headers(), mask, json);
        if (answer.body() instanceof HeldBody body) write(body, json);
    }

    private static void write(Outgoing outgoing, Route route, Mask mask, ObjectNode json) {
        UpstreamDefinition upstream = route.api().upstream();
        json.put("method", outgoing.method()).put("path", outgoing.path());
        if (!outgoing.query().isEmpty()) json.put("query", mask.parameters().mask(outgoing.query()));
        ObjectNode headers = writeHeaders(outgoing.headers(), mask, json);
        if (!upstream.preserveHost()) headers.remove("Host"); // the target's own is sent
        if (outgoing.body() instanceof HeldBody body) write(body, json);
        ArrayNode targets = json.putArray("targets");
        for (TargetDefinition target : upstream.targets())
            targets.add(target.url().toString());
    }

    private static ObjectNode writeHeaders(Headers found, Mask mask, ObjectNode json) {
        ObjectNode headers = json.putObject("headers");
        List<String> lines = mask.headers(found);
        for (int i = 0; i < lines.size(); i += 2)
            headers.withArrayProperty(lines.get(i)).add(lines.get(i + 1));
        return headers;
    }

    private static void write(HeldBody body, ObjectNode json) {
        byte[] content = body.content();
        if (content.length > 0)
            json.put("bytes", content.length).put("body", new String(content, StandardCharsets.UTF_8));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
