package gateway.http;

import gateway.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What is found out about few requests: kept apart so that the others have no room for it.
final class Findings {
    private @Nullable Span span;
    private @Nullable ObjectNode facts;
    private Map<String, String> labels = Map.of();

    @Nullable
    Span span() {
        return span;
    }

    void within(Span stretch) {
        span = stretch;
    }

    /// Made when first asked for.
    ObjectNode facts() {
        if (facts == null) facts = Json.mapper().createObjectNode();
        return facts;
    }

    /// The facts alone, apart from these.
    Findings ofFacts() {
        var copy = new Findings();
        if (facts != null) copy.facts = facts.deepCopy();
        return copy;
    }

    Map<String, String> labels() {
        return labels;
    }

    void label(String name, String value) {
        if (labels.isEmpty()) labels = new LinkedHashMap<>();
        labels.put(name, value);
    }
}
