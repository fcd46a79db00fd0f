package gateway.config;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Holds when the fact at a place is, or has among its elements, a value.
///
/// @param expected a text, number or boolean; the text `*` is any value but null
record FactCondition(JsonPointer place, JsonNode expected) implements Condition {
    private static final JsonPointer ALL = JsonPointer.empty();

    /// Those of an object whose names are JSON Pointers (RFC 6901) into the facts.
    static List<Condition> read(ConfigNode node) {
        var conditions = new ArrayList<Condition>();
        node.map(each -> each).forEach((place, value) -> {
            JsonPointer pointer = pointer(place, value);
            value.json()
                    .filter(json -> json.isString() || json.isNumber() || json.isBoolean())
                    .ifPresentOrElse(
                            json -> conditions.add(new FactCondition(pointer, json)),
                            () -> value.problem("expected text, a number, true or false"));
        });
        return conditions;
    }

    private static JsonPointer pointer(String place, ConfigNode node) {
        try {
            JsonPointer pointer = JsonPointer.compile(place);
            if (!pointer.equals(ALL)) return pointer;
        } catch (IllegalArgumentException e) {
            // reported below, as an empty one
        }
        node.problem("expected a place among the facts such as \"/jwt/tenant\", got \"" + place + "\"");
        return ALL;
    }

    @Override
    public boolean holds(Exchange exchange) {
        Optional<JsonNode> found = exchange.fact(place);
        if (found.isEmpty()) return false;
        if (expected.isString() && expected.stringValue().equals("*")) return true;
        if (!found.get().isArray()) return isExpected(found.get());
        for (JsonNode element : found.get()) if (isExpected(element)) return true;
        return false;
    }

    /// `1` and `1.0` are one number.
    private boolean isExpected(JsonNode value) {
        if (expected.isNumber() && value.isNumber())
            return expected.decimalValue().compareTo(value.decimalValue()) == 0;
        return expected.equals(value);
    }
}
