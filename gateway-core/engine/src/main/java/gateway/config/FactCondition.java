package gateway.config;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Holds when the fact at a place is, or has among its elements, one of some values.
///
/// @param expected texts, numbers or booleans; the text `*` is any value but null
public record FactCondition(JsonPointer place, List<JsonNode> expected) implements Condition {
    private static final JsonPointer ALL = JsonPointer.empty();
    private static final int MOST = 100;

    public FactCondition {
        expected = List.copyOf(expected);
    }

    /// Those of an object whose names are JSON Pointers (RFC 6901) into the facts.
    static List<Condition> read(ConfigNode node) {
        return List.copyOf(read(node, JsonPointer.empty(), "/jwt/tenant"));
    }

    /// The same, into what lies at `below` among the facts.
    ///
    /// @param example of a name, for messages
    public static List<FactCondition> read(ConfigNode node, JsonPointer below, String example) {
        var conditions = new ArrayList<FactCondition>();
        node.map(each -> each).forEach((place, value) -> {
            JsonPointer pointer = below.append(pointer(place, value, example));
            List<JsonNode> values = values(value);
            if (values.isEmpty()) value.problem("expected text, a number, true or false, or a list of such");
            else conditions.add(new FactCondition(pointer, values));
        });
        return conditions;
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

    @Override
    public boolean holds(Exchange exchange) {
        Optional<JsonNode> found = exchange.fact(place);
        if (found.isEmpty()) return false;
        for (int i = 0; i < expected.size(); i++) if (isHeld(found.get(), expected.get(i))) return true;
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
