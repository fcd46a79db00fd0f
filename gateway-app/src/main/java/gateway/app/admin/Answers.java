package gateway.app.admin;

import gateway.http.Response;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The forms that answers of the admin API take.
final class Answers {
    private Answers() {}

    static Response json(int status, JsonNode content) {
        byte[] bytes = (Json.pretty(content) + "\n").getBytes(StandardCharsets.UTF_8);
        return Response.of(status, "application/json", bytes);
    }

    static Response ok(JsonNode content) {
        return json(200, content);
    }

    /// A part of a list: `items`, and `next` with the cursor of the following part unless this is the last.
    static <T> Response page(List<T> items, Function<T, JsonNode> form, Optional<String> next) {
        ObjectNode page = Json.mapper().createObjectNode();
        var list = page.putArray("items");
        items.forEach(item -> list.add(form.apply(item)));
        next.ifPresent(cursor -> page.put("next", cursor));
        return ok(page);
    }
}
