package gateway.policies.message.openapi;

import gateway.http.Exchange;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;

/// What stands before the paths of a document in those of clients.
///
/// @param before empty: they are those below the API
record BasePath(Optional<String> before) {
    /// Compared with canonical paths; `/` is before all of them.
    static BasePath read(ConfigNode node) {
        ConfigNode path = node.field("basePath", "what stands before the document's paths in those of clients")
                .form("path")
                .unlessGiven("the path of the API");
        if (!path.isPresent()) return new BasePath(Optional.empty());
        String text = path.like(PathPattern.FORM)
                .obeys("{\"not\": {\"pattern\": \"\\\\{\"}}")
                .requiredText();
        if (!text.isEmpty()) PathPattern.flaw(text).ifPresent(path::problem);
        if (text.indexOf('{') >= 0) path.expected("a path without parameters");
        return new BasePath(Optional.of(text.equals("/") ? "" : text));
    }

    /// Of the path in the document; none where the request is for another.
    List<String> segments(Exchange exchange) {
        if (before.isEmpty()) return segments(exchange.pathInApi());
        String base = before.get();
        String path = exchange.path();
        if (!path.startsWith(base)) return List.of();
        if (path.length() == base.length()) return segments("/");
        return path.charAt(base.length()) == '/' ? segments(path.substring(base.length())) : List.of();
    }

    private static List<String> segments(String path) {
        return List.of(path.substring(1).split("/", -1));
    }
}
