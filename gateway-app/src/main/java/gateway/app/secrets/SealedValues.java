package gateway.app.secrets;

import gateway.config.SecretReader;
import java.util.Optional;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The envelopes within a stored document: `{"sealed": "v1.…"}`, wherever one stands. They are found by what they look
/// like, not by what the document means, so that none is shown of a document that nobody can read any more.
final class SealedValues {
    private SealedValues() {}

    /// What `value` seals.
    static Optional<String> envelope(JsonNode value) {
        if (!value.isObject() || value.size() != 1) return Optional.empty();
        return value.path(SecretReader.SEALED).stringValueOpt().filter(SealingKeys::isEnvelope);
    }

    /// A copy of `document` with each of them replaced.
    ///
    /// @param other what to put in place of one, of its pointer and envelope
    static JsonNode replaced(JsonNode document, BiFunction<String, String, JsonNode> other) {
        JsonNode copy = document.deepCopy();
        return envelope(copy).map(found -> other.apply("", found)).orElseGet(() -> {
            replaceWithin("", copy, other);
            return copy;
        });
    }

    private static void replaceWithin(String pointer, JsonNode node, BiFunction<String, String, JsonNode> other) {
        switch (node) {
            case ObjectNode object -> {
                for (String name : object.propertyNames().toArray(String[]::new)) {
                    String member = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                    object.set(name, replacedOne(member, object.get(name), other));
                }
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++)
                    array.set(i, replacedOne(pointer + "/" + i, array.get(i), other));
            }
            default -> {} // a single value
        }
    }

    private static JsonNode replacedOne(String pointer, JsonNode value, BiFunction<String, String, JsonNode> other) {
        Optional<String> envelope = envelope(value);
        if (envelope.isPresent()) return other.apply(pointer, envelope.get());
        replaceWithin(pointer, value, other);
        return value;
    }
}
