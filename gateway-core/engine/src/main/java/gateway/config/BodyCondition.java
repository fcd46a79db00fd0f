package gateway.config;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import gateway.policy.RequestJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Holds when the place in a request's JSON body is, or has among its elements, one of some values. A body of another
/// type, and none, has no places.
record BodyCondition(JsonPointer place, ExpectedValues expected) implements Condition {
    /// Those of an object whose names are JSON Pointers (RFC 6901) into the body.
    static List<Condition> read(ConfigNode node) {
        var conditions = new ArrayList<Condition>();
        ExpectedValues.read(node, "/customer/type")
                .forEach((place, expected) -> conditions.add(new BodyCondition(place, expected)));
        return conditions;
    }

    @Override
    public boolean readsBody() {
        return true;
    }

    @Override
    public boolean holds(Exchange exchange) {
        Optional<JsonNode> json = RequestJson.of(exchange);
        return json.isPresent() && expected.include(json.get().at(place));
    }
}
