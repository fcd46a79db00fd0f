package gateway.policies.identity;

import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Where in the claims of a token something stands: the name of a claim, or a JSON Pointer (RFC 6901), which begins
/// with `/`.
record ClaimPath(JsonPointer pointer) {
    private static final int LONGEST = 256;

    static ClaimPath of(String text) {
        return new ClaimPath(
                text.startsWith("/")
                        ? JsonPointer.compile(text)
                        : JsonPointer.empty().appendProperty(text));
    }

    static ClaimPath read(ConfigNode node, String text) {
        node.extent(0, LONGEST);
        if (text.length() > LONGEST) node.problem("expected at most " + LONGEST + " characters, got " + text.length());
        return of(text.length() > LONGEST ? "" : text);
    }

    static Optional<ClaimPath> readOptional(ConfigNode node) {
        return node.isPresent() ? Optional.of(read(node, node.requiredText())) : Optional.empty();
    }

    /// The claim that holds it.
    String member() {
        return pointer.getMatchingProperty() == null ? "" : pointer.getMatchingProperty();
    }

    JsonNode in(JsonNode claims) {
        return claims.at(pointer);
    }

    /// As text, what is a text, a number or a boolean there; empty text counts as none.
    Optional<String> text(JsonNode claims) {
        return scalar(in(claims)).filter(text -> !text.isEmpty());
    }

    /// The elements of a list, or the words of a text.
    ///
    /// @param most of them that are taken
    List<String> words(JsonNode claims, int most) {
        JsonNode found = in(claims);
        var words = new ArrayList<String>();
        if (found.isString()) {
            for (String word : found.stringValue().split(" ", -1)) {
                if (!word.isEmpty() && words.size() < most) words.add(word);
            }
        }
        if (found.isArray()) {
            for (JsonNode each : found) {
                Optional<String> word = scalar(each);
                if (word.isPresent() && words.size() < most) words.add(word.get());
            }
        }
        return words;
    }

    static Optional<String> scalar(JsonNode value) {
        if (value.isString()) return Optional.of(value.stringValue());
        return value.isNumber() || value.isBoolean() ? Optional.of(value.toString()) : Optional.empty();
    }
}
