package gateway.policies.message.graphql;

import gateway.http.Query;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The parameters of a URL that make a request of GraphQL.
final class QueryParameters {
    private static final List<String> OF_JSON = List.of(RequestMembers.VARIABLES, RequestMembers.EXTENSIONS);

    private QueryParameters() {}

    /// @throws QueryRefusedException when a part of a request stands there: with a body, servers take the one or the
    ///     other
    static void refuse(String query) {
        if (query.isEmpty()) return;
        requireSound(query);
        for (String each : RequestMembers.NAMES)
            if (Query.find(query, each, 0) >= 0)
                throw QueryRefusedException.malformed(each + " stands in the URL of a POST");
    }

    /// As the object that a POST would carry.
    ///
    /// @throws QueryRefusedException when servers may read different things there
    static ObjectNode read(String query) {
        requireSound(query);
        ObjectNode request = Json.mapper().createObjectNode();
        for (String each : RequestMembers.NAMES) {
            int at = Query.find(query, each, 0);
            if (at < 0) continue;
            if (Query.find(query, each, Query.end(query, at) + 1) >= 0)
                throw QueryRefusedException.malformed(each + " stands twice in the URL");
            String value = Query.first(query, each).orElseThrow();
            if (!OF_JSON.contains(each)) request.put(each, value);
            else if (!value.isEmpty()) request.set(each, json(each, value));
        }
        return request;
    }

    /// One character for which parsers differ: some take `;` for `&`.
    private static void requireSound(String query) {
        if (query.indexOf(';') >= 0 || !Query.isWellEscaped(query))
            throw QueryRefusedException.malformed("The URL's query has a `;` or a broken escape");
        RequestMembers.refuseLookAlikes(Query.names(query));
    }

    private static JsonNode json(String name, String value) {
        try {
            return Json.parse(value.getBytes(StandardCharsets.UTF_8), _ -> {});
        } catch (InvalidConfigException _) {
            throw QueryRefusedException.malformed(name + " is no JSON");
        }
    }
}
