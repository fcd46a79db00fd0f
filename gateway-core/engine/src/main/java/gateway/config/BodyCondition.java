package gateway.config;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Holds when the place in a request's JSON body is, or has among its elements, one of some values. A body of another
/// type, and none, has no places.
public record BodyCondition(JsonPointer place, ExpectedValues expected) implements Condition {
    private static final int MOST = 1 << 20;

    /// What the pipeline has to hold for it: JSON, with its coding undone.
    public static final BodyAccess.Held ACCESS = BodyAccess.plain(MOST).only((fields, _) -> isJson(fields));

    /// Those of an object whose names are JSON Pointers (RFC 6901) into the body.
    static List<Condition> read(ConfigNode node) {
        var conditions = new ArrayList<Condition>();
        ExpectedValues.read(node, "/customer/type")
                .forEach((place, expected) -> conditions.add(new BodyCondition(place, expected)));
        return conditions;
    }

    private static boolean isJson(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        if (type.isEmpty()) return false;
        String media = MediaTypes.mediaType(type.get());
        return media.equals("application/json") || media.endsWith("+json");
    }

    @Override
    public boolean readsBody() {
        return true;
    }

    @Override
    public boolean holds(Exchange exchange) {
        Optional<HeldBody> held = exchange.held();
        if (held.isEmpty() || held.get().content().length == 0 || !isJson(exchange.headers())) return false;
        return expected.include(held.get().json().at(place));
    }
}
