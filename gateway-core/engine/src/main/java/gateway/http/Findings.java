package gateway.http;

import gateway.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What is found out about few requests: kept apart so that the others have no room for it.
final class Findings {
    private @Nullable Span span;
    private @Nullable ObjectNode facts;

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
}
