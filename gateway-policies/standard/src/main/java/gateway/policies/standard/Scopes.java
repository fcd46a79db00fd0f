package gateway.policies.standard;

import gateway.http.Exchange;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// What a caller's token is good for: the claim `scope`, a text parted by blanks (RFC 8693 §4.2), or `scp`, as some
/// servers call it; either may be a list.
final class Scopes {
    private static final JsonPointer SCOPE = JsonPointer.compile('/' + Exchange.CLAIMS + "/scope");
    private static final JsonPointer SCP = JsonPointer.compile('/' + Exchange.CLAIMS + "/scp");

    private Scopes() {}

    /// The claim, as it stands; empty when there is none.
    static Optional<JsonNode> of(Exchange exchange) {
        Optional<JsonNode> scope = exchange.fact(SCOPE);
        return scope.isPresent() ? scope : exchange.fact(SCP);
    }

    /// Whether all of `wanted` are among them: whole words, in the same case.
    static boolean haveAll(Optional<JsonNode> claim, List<String> wanted) {
        for (int i = 0; i < wanted.size(); i++) if (!has(claim, wanted.get(i))) return false;
        return true;
    }

    /// Whether one of `wanted` is among them, or none is wanted.
    static boolean haveAny(Optional<JsonNode> claim, List<String> wanted) {
        for (int i = 0; i < wanted.size(); i++) if (has(claim, wanted.get(i))) return true;
        return wanted.isEmpty();
    }

    private static boolean has(Optional<JsonNode> claim, String scope) {
        if (claim.isEmpty()) return false;
        JsonNode scopes = claim.get();
        if (scopes.isString()) return isWord(scopes.stringValue(), scope);
        for (JsonNode each : scopes) if (each.isString() && each.stringValue().equals(scope)) return true;
        return false;
    }

    private static boolean isWord(String text, String word) {
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            int end = at + word.length();
            boolean begins = at == 0 || text.charAt(at - 1) == ' ';
            boolean ends = end == text.length() || text.charAt(end) == ' ';
            if (begins && ends) return true;
        }
        return false;
    }
}
