package gateway.policies.message.graphql;

import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads a request of GraphQL out of its members, strictly: nobody behind the gateway may read another one there.
final class RequestMembers {
    static final String QUERY = "query";
    static final String OPERATION = "operationName";
    static final String VARIABLES = "variables";
    static final String EXTENSIONS = "extensions";
    static final String DOCUMENT = "documentId";
    static final String PERSISTED = "persistedQuery";
    static final String HASH = "sha256Hash";
    static final List<String> NAMES = List.of(QUERY, OPERATION, VARIABLES, EXTENSIONS, DOCUMENT);
    private static final int LONGEST_ID = 256;

    private RequestMembers() {}

    /// Some servers do not tell capital letters from small ones.
    ///
    /// @param plain what else servers may take `name` for
    /// @throws QueryRefusedException when that is a member, and not written as one
    static void refuseLookAlike(String name, String plain) {
        for (String each : NAMES)
            if (plain.equalsIgnoreCase(each) && !name.equals(each))
                throw QueryRefusedException.malformed("A member is called almost " + each);
    }

    /// @param mostVariables values within its variables
    /// @throws QueryRefusedException when it is none
    static GraphqlRequest read(JsonNode request, int mostVariables) {
        if (!request.isObject()) throw QueryRefusedException.malformed("A request is no JSON object");
        for (String each : request.propertyNames()) refuseLookAlike(each, each);
        Optional<String> text = text(request, QUERY);
        text.ifPresent(RequestMembers::requireCharacters);
        JsonNode variables = object(request, VARIABLES);
        requireFew(variables, mostVariables);
        Optional<QueryId> id = id(request);
        if (text.isEmpty() && id.isEmpty()) throw QueryRefusedException.malformed("The request has no query");
        return new GraphqlRequest(text, id, text(request, OPERATION).filter(name -> !name.isEmpty()), variables);
    }

    private static Optional<QueryId> id(JsonNode request) {
        JsonNode persisted = object(object(request, EXTENSIONS), PERSISTED);
        Optional<String> hash = text(persisted, HASH);
        Optional<String> document = text(request, DOCUMENT);
        if (persisted.isObject() && hash.isEmpty())
            throw QueryRefusedException.malformed("A persisted query has no " + HASH);
        if (hash.isPresent() && document.isPresent())
            throw QueryRefusedException.malformed("The request names a document twice");
        Optional<QueryId> id = hash.or(() -> document).map(value -> new QueryId(value, hash.isPresent()));
        if (id.isPresent() && id.get().value().length() > LONGEST_ID)
            throw QueryRefusedException.malformed("The name of a document is too long");
        return id;
    }

    private static Optional<String> text(JsonNode object, String name) {
        JsonNode member = object.path(name);
        if (member.isMissingNode() || member.isNull()) return Optional.empty();
        if (!member.isString()) throw QueryRefusedException.malformed(name + " is no text");
        return Optional.of(member.stringValue());
    }

    /// Without members when it is absent.
    private static JsonNode object(JsonNode object, String name) {
        JsonNode member = object.path(name);
        if (!member.isMissingNode() && !member.isNull() && !member.isObject())
            throw QueryRefusedException.malformed(name + " is no object");
        return member;
    }

    /// Half a surrogate pair, which has no UTF-8, becomes something else on the way.
    private static void requireCharacters(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text))
            throw QueryRefusedException.malformed("The query holds half of a character");
    }

    private static void requireFew(JsonNode variables, int most) {
        var open = new ArrayDeque<JsonNode>();
        open.push(variables);
        int count = -1; // `variables` itself
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (++count + open.size() > most)
                throw QueryRefusedException.tooComplex("at most " + most + " values within variables");
            node.values().forEach(open::push);
        }
    }

    /// @throws QueryRefusedException when it is no UTF-8
    static String utf8(byte[] content) {
        if (!Utf8.holds(content)) throw QueryRefusedException.malformed("The body is not UTF-8");
        return new String(content, StandardCharsets.UTF_8);
    }
}
