package gateway.policies.standard;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.json.JsonSchema;
import gateway.policy.FilledJson;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.service.CallRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What a call sends as its body.
sealed interface CallBody {
    record None() implements CallBody {}

    record Written(FilledJson json) implements CallBody {}

    /// `application/x-www-form-urlencoded`.
    record Form(Map<String, Template> fields) implements CallBody {}

    /// The body of the message itself, plain, under its own content type.
    record Forwarded() implements CallBody {}

    String ONE = """
            {"if": {"required": ["forward"], "properties": {"forward": {"const": true}}},
             "then": {"not": OTHERS}, "else": OTHERS}""".replace("OTHERS", JsonSchema.given(List.of("json", "form")));

    static CallBody read(ConfigNode node) {
        if (!node.expectObject()) return new None();
        ConfigNode json =
                node.field("json", "whose texts may hold placeholders").form("JSON");
        ConfigNode form = node.field("form", "fields of a form; values may hold placeholders")
                .form("name and value");
        boolean forward = node.field("forward", "the body of the message itself, unpacked")
                .bool(false);
        int said = (json.isPresent() ? 1 : 0) + (form.isPresent() ? 1 : 0) + (forward ? 1 : 0);
        CallBody body = json.isPresent() ? new Written(FilledJson.read(json)) : new None();
        var fields = new LinkedHashMap<String, Template>(form.map(each -> Template.read(each, TemplatePlace.QUERY)));
        if (form.isPresent()) body = new Form(fields);
        node.apart("json", "form").obeys(ONE);
        if (said != 1) node.problem("expected one of json, form and forward, got " + said);
        node.refuseUnknownFields();
        return forward ? new Forwarded() : body;
    }

    default Stream<String> placeholders() {
        return switch (this) {
            case None _, Forwarded _ -> Stream.empty();
            case Written(var json) -> json.placeholders();
            case Form(var fields) -> fields.values().stream().flatMap(each -> each.placeholders().stream());
        };
    }

    /// A request with this body.
    ///
    /// @param fields of the message that is forwarded
    /// @param message its body
    default CallRequest request(String method, String path, Exchange exchange, Headers fields, Body message) {
        return switch (this) {
            case None _ -> new CallRequest(method, path, Headers.create(), Body.EMPTY);
            case Written(var json) -> with(method, path, "application/json", Json.compact(json.of(exchange)));
            case Form(var values) -> with(method, path, "application/x-www-form-urlencoded", form(values, exchange));
            case Forwarded _ -> {
                Body plain = message instanceof HeldBody held && held.isPlain() ? Body.of(held.plain()) : Body.EMPTY;
                var request = new CallRequest(method, path, Headers.create(), plain);
                fields.first("Content-Type").ifPresent(type -> request.with("Content-Type", type));
                yield request;
            }
        };
    }

    private static CallRequest with(String method, String path, String type, String content) {
        Body body = Body.of(content.getBytes(StandardCharsets.UTF_8));
        return new CallRequest(method, path, Headers.create(), body).with("Content-Type", type);
    }

    private static String form(Map<String, Template> values, Exchange exchange) {
        var text = new StringBuilder();
        values.forEach((name, value) -> {
            if (!text.isEmpty()) text.append('&');
            text.append(TemplatePlace.QUERY.escaped(name)).append('=').append(value.render(exchange));
        });
        return text.toString();
    }
}
