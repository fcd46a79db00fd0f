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
public record FactCondition(JsonPointer place, ExpectedValues expected) implements Condition {

    /// Those of an object whose names are JSON Pointers (RFC 6901) into the facts.
    static List<Condition> read(ConfigNode node) {
        return List.copyOf(read(node, JsonPointer.empty(), "/jwt/tenant"));
    }

    /// The same, into what lies at `below` among the facts.
    ///
    /// @param example of a name, for messages
    public static List<FactCondition> read(ConfigNode node, JsonPointer below, String example) {
        var conditions = new ArrayList<FactCondition>();
        ExpectedValues.read(node, example)
                .forEach((place, expected) -> conditions.add(new FactCondition(below.append(place), expected)));
        return conditions;
    }

    @Override
    public boolean holds(Exchange exchange) {
        Optional<JsonNode> found = exchange.fact(place);
        return found.isPresent() && expected.include(found.get());
    }
}
