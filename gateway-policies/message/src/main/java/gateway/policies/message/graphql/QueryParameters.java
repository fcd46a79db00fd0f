package gateway.policies.message.graphql;

import gateway.http.Query;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.json.JsonLimitException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The parameters of a URL that make a request of GraphQL.
final class QueryParameters {
    private static final List<String> OF_JSON = List.of(RequestMembers.VARIABLES, RequestMembers.EXTENSIONS);
    private static final String ENDS = "\0[].";

    private QueryParameters() {}

    /// For what has its request elsewhere, or is to have none: with a body, servers take the one or the other.
    ///
    /// @throws QueryRefusedException when a part of a request stands there
    static void refuse(String query) {
        if (query.isEmpty()) return;
        requireSound(query);
        for (String each : RequestMembers.NAMES)
            if (Query.find(query, each, 0) >= 0) throw QueryRefusedException.malformed(each + " stands in the URL");
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
        for (String each : Query.names(query)) RequestMembers.refuseLookAlike(each, plain(each));
    }

    /// What servers may take a name for: some cut spaces and controls off, some end at a NUL, some make objects of
    /// names with brackets or dots.
    private static String plain(String name) {
        int begin = 0;
        while (begin < name.length() && (isBlank(name.charAt(begin)) || name.charAt(begin) == '[')) begin++;
        int end = begin;
        while (end < name.length() && ENDS.indexOf(name.charAt(end)) < 0) end++;
        while (end > begin && isBlank(name.charAt(end - 1))) end--;
        return name.substring(begin, end);
    }

    private static boolean isBlank(char c) {
        return c == '\uFEFF' || Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static JsonNode json(String name, String value) {
        try {
            return Json.parse(value.getBytes(StandardCharsets.UTF_8), _ -> {});
        } catch (JsonLimitException e) {
            String what = e.problems().getFirst().message();
            throw QueryRefusedException.of("content-too-complex", 400, name + " is " + what);
        } catch (InvalidConfigException _) {
            throw QueryRefusedException.malformed(name + " is no JSON");
        }
    }
}
