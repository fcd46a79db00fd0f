package gateway.policies.message.transform;

import gateway.policies.message.BoundReachedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Names of JSON that JOLT's `shift` may make indexes of, with a bound: it would fill an array up to any of them. It
/// takes a text or number for a name too, wherever its rules go further than the JSON.
enum IndexNames {
    /// No index comes of a name.
    NONE,
    /// Of names as they are.
    WHOLE,
    /// Of what a `*` has matched in them as well.
    PARTS;

    private static final int MOST_DIGITS = 4;
    private static final Pattern LARGE_NUMBER = Pattern.compile("\\+?[0-9]{" + (MOST_DIGITS + 1) + ",}|\\+[0-9]+");
    private static final Pattern LARGE_PART = Pattern.compile("[0-9]{" + (MOST_DIGITS + 1) + "}");

    /// A text, number or flag, which JOLT hands on until it takes it for a name.
    record Scalar(JsonNode value, IndexNames names) {
        /// @throws BoundReachedException when it cannot be an index
        @Override
        public String toString() {
            return names.checked(value.asString());
        }
    }

    /// @param spec in which paths of outputs stand
    static IndexNames in(String spec) {
        if (spec.contains("[&(")) return PARTS;
        return spec.contains("[&") ? WHOLE : NONE;
    }

    /// As maps and lists for JOLT.
    ///
    /// @param room whose memory they take
    /// @throws BoundReachedException when a name cannot be an index
    @Nullable
    Object plain(JsonNode node, TreeRoom room) {
        if (this == NONE) return PlainValues.of(node, room);
        room.beside();
        return switch (node) {
            case ObjectNode object -> {
                var members = new LinkedHashMap<String, @Nullable Object>();
                for (Map.Entry<String, JsonNode> each : object.properties())
                    members.put(checked(each.getKey()), plain(each.getValue(), room));
                yield members;
            }
            case ArrayNode array -> {
                var elements = new ArrayList<@Nullable Object>(array.size());
                for (JsonNode each : array.values()) elements.add(plain(each, room));
                yield elements;
            }
            default -> node.isNull() ? null : new Scalar(node, this);
        };
    }

    private String checked(String name) {
        boolean large = this == PARTS
                ? LARGE_PART.matcher(name).find()
                : LARGE_NUMBER.matcher(name).matches();
        if (large) throw new BoundReachedException("indexes of at most " + MOST_DIGITS + " digits");
        return name;
    }
}
