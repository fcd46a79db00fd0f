package gateway.policies.message.schema;

import tools.jackson.databind.JsonNode;

/// A document of schemas, before it is compiled.
///
/// @param uri by which others refer to it; its own `$id` does too
/// @param pointer where it stands in the definition that has it, for what is told of it
public record SchemaDocument(String uri, JsonNode tree, String pointer) {
    /// What one without a name of its own is called.
    public static final String NAMELESS = "schema:/main";
}
