package gateway.policies.message.convert;

import gateway.json.Json;
import tools.jackson.databind.JsonNode;

/// What an empty element is as JSON.
enum EmptyForm {
    TEXT,
    NULL,
    OBJECT;

    JsonNode json() {
        return switch (this) {
            case TEXT -> Json.mapper().getNodeFactory().stringNode("");
            case NULL -> Json.mapper().getNodeFactory().nullNode();
            case OBJECT -> Json.mapper().createObjectNode();
        };
    }
}
