package gateway.policies.message.transform;

import gateway.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A JSON Merge Patch (RFC 7396).
final class MergePatch {
    private MergePatch() {}

    /// @param target not shared with anybody
    static JsonNode apply(JsonNode patch, JsonNode target, TreeRoom room) {
        return apply(patch, target, 0, room);
    }

    private static JsonNode apply(JsonNode patch, JsonNode target, int depth, TreeRoom room) {
        if (!(patch instanceof ObjectNode changes)) return room.copy(patch, depth);
        ObjectNode merged = target instanceof ObjectNode object
                ? object
                : room.made(Json.mapper().createObjectNode());
        for (String name : changes.propertyNames()) {
            JsonNode change = changes.get(name);
            if (change.isNull()) merged.remove(name);
            else merged.set(name, apply(change, merged.path(name), depth + 1, room));
        }
        return merged;
    }
}
