package gateway.config;

import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Values of which a place in a JSON document is to have one.
///
/// @param values texts, numbers or booleans; the text `*` is any value but null
public record ExpectedValues(List<JsonNode> values) {
    private static final JsonPointer ALL = JsonPointer.empty();
    private static final int MOST = 100;
    private static final Pattern PLACE = Pattern.compile("/[\\s\\S]*");

    public ExpectedValues {
        values = List.copyOf(values);
    }

    /// Those of an object whose names are JSON Pointers (RFC 6901).
    ///
    /// @param example of a name, for messages
    static Map<JsonPointer, ExpectedValues> read(ConfigNode node, String example) {
        var read = new LinkedHashMap<JsonPointer, ExpectedValues>();
        node.namesLike(PLACE).map(each -> each.scalars(MOST)).forEach((place, value) -> {
            JsonPointer pointer = pointer(place, value, example);
            List<JsonNode> values = values(value);
            if (values.isEmpty()) value.problem("expected text, a number, true or false, or a list of such");
            else read.put(pointer, new ExpectedValues(values));
        });
        return read;
    }

    private static JsonPointer pointer(String place, ConfigNode node, String example) {
        try {
            JsonPointer pointer = JsonPointer.compile(place);
            if (!pointer.equals(ALL)) return pointer;
        } catch (IllegalArgumentException e) {
            // reported below, as an empty one
        }
        node.problem("expected a place such as \"" + example + "\", got \"" + place + "\"");
        return ALL;
    }

    /// Empty when it is none of those that can be expected.
    private static List<JsonNode> values(ConfigNode node) {
        JsonNode json = node.json().orElse(null);
        if (json == null) return List.of();
        if (isScalar(json)) return List.of(json);
        if (!json.isArray() || json.size() > MOST) return List.of();
        var values = new ArrayList<JsonNode>();
        for (JsonNode each : json) if (isScalar(each)) values.add(each);
        return values.size() == json.size() ? values : List.of();
    }

    private static boolean isScalar(JsonNode json) {
        return json.isString() || json.isNumber() || json.isBoolean();
    }

    /// Whether `found` is one of them, or has one among its elements.
    boolean include(JsonNode found) {
        for (int i = 0; i < values.size(); i++) if (isHeld(found, values.get(i))) return true;
        return false;
    }

    private static boolean isHeld(JsonNode found, JsonNode wanted) {
        if (wanted.isString() && wanted.stringValue().equals("*")) return true;
        if (!found.isArray()) return isEqual(found, wanted);
        for (JsonNode element : found) if (isEqual(element, wanted)) return true;
        return false;
    }

    /// `1` and `1.0` are one number.
    private static boolean isEqual(JsonNode value, JsonNode wanted) {
        if (wanted.isNumber() && value.isNumber()) return wanted.decimalValue().compareTo(value.decimalValue()) == 0;
        return wanted.equals(value);
    }
}
