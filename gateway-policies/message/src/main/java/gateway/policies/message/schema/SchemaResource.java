package gateway.policies.message.schema;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A schema with a URI of its own, and what lies in it by name. Filled while documents are read, then left alone.
final class SchemaResource {
    final URI base;
    final JsonNode root;
    final SchemaDraft draft;
    final Map<String, JsonNode> anchors = new HashMap<>();
    final Map<String, JsonNode> dynamicAnchors = new HashMap<>();
    final Map<String, Subschema> dynamicTargets = new HashMap<>();
    boolean recursive; // `$recursiveAnchor` of 2019-09

    SchemaResource(URI base, JsonNode root, SchemaDraft draft) {
        this.base = base;
        this.root = root;
        this.draft = draft;
    }

    @Override
    public String toString() {
        return base.toString();
    }
}
