package gateway.policies.message.schema;

import tools.jackson.databind.JsonNode;

/// A schema where it stands.
///
/// @param pointer in the definition that has it
record SchemaSite(JsonNode tree, SchemaResource resource, String pointer) {
    SchemaSite below(JsonNode child, SchemaResource owner, String... steps) {
        var at = new StringBuilder(pointer);
        for (String step : steps) at.append('/').append(step.replace("~", "~0").replace("/", "~1"));
        return new SchemaSite(child, owner, at.toString());
    }
}
