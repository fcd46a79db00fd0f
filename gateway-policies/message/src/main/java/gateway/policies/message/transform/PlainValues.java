package gateway.policies.message.transform;

import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON as maps, lists, texts, numbers and flags, which JOLT works on.
final class PlainValues {
    private PlainValues() {}

    /// @param room whose memory they take
    static @Nullable Object of(JsonNode node, TreeRoom room) {
        room.beside();
        return switch (node) {
            case ObjectNode object -> {
                var members = new LinkedHashMap<String, @Nullable Object>();
                object.properties().forEach(each -> members.put(each.getKey(), of(each.getValue(), room)));
                yield members;
            }
            case ArrayNode array -> {
                var elements = new ArrayList<@Nullable Object>(array.size());
                array.values().forEach(each -> elements.add(of(each, room)));
                yield elements;
            }
            default -> scalar(node);
        };
    }

    private static @Nullable Object scalar(JsonNode node) {
        if (node.isString()) return node.stringValue();
        if (node.isNumber()) return node.numberValue();
        return node.isBoolean() ? node.booleanValue() : null;
    }

    /// The same as a tree. Values may be shared, or even hold themselves: each is written as often as it is met, within
    /// `room`.
    ///
    /// @throws BoundReachedException when it is too much, or too deep
    static JsonNode tree(@Nullable Object value, TreeRoom room) {
        return tree(value, 0, room);
    }

    private static JsonNode tree(@Nullable Object value, int depth, TreeRoom room) {
        room.level(depth);
        JsonNodeFactory nodes = Json.mapper().getNodeFactory();
        return switch (value) {
            case Map<?, ?> members -> {
                ObjectNode object = room.made(nodes.objectNode());
                for (Map.Entry<?, ?> each : members.entrySet()) {
                    String name = String.valueOf(each.getKey());
                    room.name(name);
                    object.set(name, tree(each.getValue(), depth + 1, room));
                }
                yield object;
            }
            case List<?> elements -> {
                ArrayNode array = room.made(nodes.arrayNode());
                for (Object each : elements) array.add(tree(each, depth + 1, room));
                yield array;
            }
            case IndexNames.Scalar(var node, var _) ->
                node.isString() ? room.text(node.stringValue()) : room.made(node);
            case String text -> room.text(text);
            case null -> room.made(nodes.nullNode());
            default -> room.made(Json.mapper().valueToTree(value)); // numbers and flags
        };
    }
}
