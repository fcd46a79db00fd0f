package gateway.app.admin;

import gateway.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What makes one JSON document of another: the operations `add`, `remove` and `replace` of a JSON Patch (RFC 6902).
/// Arrays of different length are replaced whole.
final class JsonDifference {
    private JsonDifference() {}

    static ArrayNode between(JsonNode before, JsonNode after) {
        var operations = Json.mapper().createArrayNode();
        compare("", before, after, operations);
        return operations;
    }

    private static void compare(String pointer, JsonNode before, JsonNode after, ArrayNode operations) {
        if (before.equals(after)) return;
        if (before.isObject() && after.isObject()) {
            compareMembers(pointer, before, after, operations);
            return;
        }
        if (before.isArray() && after.isArray() && before.size() == after.size()) {
            for (int i = 0; i < before.size(); i++) {
                compare(pointer + "/" + i, before.get(i), after.get(i), operations);
            }
            return;
        }
        operation("replace", pointer, operations).set("value", after);
    }

    private static void compareMembers(String pointer, JsonNode before, JsonNode after, ArrayNode operations) {
        for (String name : before.propertyNames()) {
            JsonNode now = after.get(name);
            String member = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
            if (now == null) {
                operation("remove", member, operations);
            } else {
                compare(member, before.get(name), now, operations);
            }
        }
        for (String name : after.propertyNames()) {
            if (before.has(name)) continue;
            operation("add", pointer + "/" + name.replace("~", "~0").replace("/", "~1"), operations)
                    .set("value", after.get(name));
        }
    }

    private static ObjectNode operation(String name, String path, ArrayNode operations) {
        return operations.addObject().put("op", name).put("path", path);
    }
}
