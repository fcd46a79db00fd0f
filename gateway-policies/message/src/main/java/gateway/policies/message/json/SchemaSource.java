package gateway.policies.message.json;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.schema.SchemaDocument;
import gateway.policy.Services;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Where a schema stands: in the definition, or in a resource. Its pointer is the one in the policy.
sealed interface SchemaSource {
    String pointer();

    /// @throws InvalidConfigException when there is no such one, or it is no JSON
    SchemaDocument document(Services services);

    record Inline(String pointer, JsonNode tree) implements SchemaSource {
        /// Read anew, since numbers of a message keep their digits and are compared with these.
        @Override
        public SchemaDocument document(Services services) {
            byte[] text = Json.compact(tree).getBytes(StandardCharsets.UTF_8);
            return new SchemaDocument(SchemaDocument.NAMELESS, Json.parse(text, _ -> {}), pointer);
        }
    }

    record Stored(String pointer, ResourceReference reference) implements SchemaSource {
        @Override
        public SchemaDocument document(Services services) {
            Resource resource = services.resource(reference);
            try {
                JsonNode tree = Json.parse(resource.bytes(), _ -> {});
                return new SchemaDocument("schema:/" + resource.id(), tree, pointer);
            } catch (InvalidConfigException e) {
                throw new InvalidConfigException(e.problems().stream()
                        .map(each -> new ConfigProblem(
                                pointer, "expected JSON in the resource \"" + resource.id() + "\": " + each.message()))
                        .toList());
            }
        }
    }

    /// @param pointer in the policy, such as `/schema`
    static SchemaSource read(ConfigNode node, String pointer) {
        if (ResourceReader.isReference(node)) return new Stored(pointer, ResourceReader.read(node));
        node.obeys("{\"type\": [\"object\", \"boolean\"]}");
        JsonNode tree = node.json().orElseGet(() -> Json.mapper().createObjectNode());
        if (!node.isPresent()) node.problem("expected a schema, or {\"resource\": \"id\"}, got nothing");
        else if (!tree.isObject() && !tree.isBoolean())
            node.problem("expected a schema, or {\"resource\": \"id\"}, got "
                    + tree.getNodeType().name().toLowerCase(Locale.ROOT));
        return new Inline(pointer, tree);
    }
}
