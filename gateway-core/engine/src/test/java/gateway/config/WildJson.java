package gateway.config;

import gateway.json.Json;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// JSON that nobody has thought of, by a seed that makes it again.
final class WildJson {
    private static final List<String> TEXTS = List.of(
            "*",
            "/",
            "/{id}",
            "[",
            "{x}",
            "{",
            "1s",
            "1MiB",
            "10.0.0.0/8",
            "key",
            "header:",
            "https://*.a",
            "$2b$12$",
            "month",
            "GET",
            "Host",
            "a:b",
            "99999999999d",
            "",
            "ü\u0000",
            "x".repeat(300));
    private static final List<String> OTHERS = List.of("null", "true", "-1", "0", "5", "1e300", "9e99");

    private WildJson() {}

    static Stream<String> names(JsonNode node) {
        return Stream.concat(
                node.propertyNames().stream(), node.values().stream().flatMap(WildJson::names));
    }

    static JsonNode wild(Random random, List<String> names, int depth) {
        int kind = random.nextInt(depth == 0 ? 2 : 4);
        if (kind == 0) return Json.mapper().getNodeFactory().stringNode(one(TEXTS, random));
        if (kind == 1) return Json.parse(one(OTHERS, random));
        if (kind == 2) {
            var array = Json.mapper().createArrayNode();
            for (int i = random.nextInt(4); i > 0; i--) array.add(wild(random, names, depth - 1));
            return array;
        }
        var object = Json.mapper().createObjectNode();
        for (int i = random.nextInt(9); i > 0; i--) object.set(one(names, random), wild(random, names, depth - 1));
        return object;
    }

    private static String one(List<String> among, Random random) {
        return among.get(random.nextInt(among.size()));
    }
}
