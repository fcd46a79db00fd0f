package gateway.http;

import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/// An error as clients see it: `application/problem+json` (RFC 9457).
///
/// @param type short name of the kind, such as `rate-limited`; becomes `urn:gateway:problem:<type>` and, in records,
///     the reason
/// @param title the kind in words, the same for every occurrence
/// @param detail what happened this time; never a secret, never an upstream address
/// @param errors for refused input: each problem under its pointer
public record Problem(String type, int status, String title, String detail, List<ConfigProblem> errors) {
    public static final String CONTENT_TYPE = "application/problem+json";

    public Problem {
        errors = List.copyOf(errors);
    }

    public static Problem of(String type, int status, String title, String detail) {
        return new Problem(type, status, title, detail, List.of());
    }

    public Response toResponse(String requestId) {
        Headers fields = Headers.create();
        fields.set("Content-Type", CONTENT_TYPE);
        byte[] content = toJson(requestId).getBytes(StandardCharsets.UTF_8);
        return new Response(status, fields, Body.of(content), type, this);
    }

    public String toJson(String requestId) {
        var json = Json.mapper().createObjectNode();
        json.put("type", "urn:gateway:problem:" + type);
        json.put("title", title);
        json.put("status", status);
        json.put("detail", detail);
        json.put("requestId", requestId);
        if (!errors.isEmpty()) json.set("errors", errorsJson());
        return Json.compact(json);
    }

    /// [#errors] as clients see them.
    public ArrayNode errorsJson() {
        var list = Json.mapper().createArrayNode();
        for (ConfigProblem each : errors) {
            var error = list.addObject();
            if (!each.in().isEmpty()) error.put("in", each.in());
            error.put("pointer", each.pointer()).put("message", each.message());
        }
        return list;
    }
}
