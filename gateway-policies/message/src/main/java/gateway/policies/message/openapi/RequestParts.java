package gateway.policies.message.openapi;

import gateway.http.Headers;
import java.util.List;
import java.util.Map;

/// One request, or the head of one answer, taken apart as parameters need it.
///
/// @param path raw values of the path's parameters
record RequestParts(Map<String, String> path, NamedTexts query, Headers headers, NamedTexts cookies) {
    private static final NamedTexts NOTHING = new NamedTexts(List.of(), false);

    static RequestParts ofAnswer(Headers headers) {
        return new RequestParts(Map.of(), NOTHING, headers, NOTHING);
    }

    /// The texts that stand for a parameter, as they came.
    List<String> raws(ParameterPlace in, String name) {
        return switch (in) {
            case PATH -> path.containsKey(name) ? List.of(path.get(name)) : List.of();
            case QUERY -> query.all(name);
            case HEADER -> headers.all(name);
            case COOKIE -> cookies.all(name);
        };
    }
}
