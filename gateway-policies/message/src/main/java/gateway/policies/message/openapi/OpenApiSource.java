package gateway.policies.message.openapi;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policy.Services;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Where an OpenAPI document stands: in the definition, or in a resource.
sealed interface OpenApiSource {
    String POINTER = "/document";

    /// Its operations: compiled once for all routes whose document is the same.
    ///
    /// @throws InvalidConfigException when there is no such document, or with each thing wrong with it
    OperationTable operations(Want want, Services services);

    /// What is made of a document.
    ///
    /// @param formats whether `format` is asserted
    /// @param examples whether answers have their examples
    record Want(boolean formats, boolean examples) {}

    /// What one is kept by.
    record Key(String content, Want want) {}

    record Inline(JsonNode tree) implements OpenApiSource {
        @Override
        public OperationTable operations(Want want, Services services) {
            String text = Json.compact(tree);
            return services.shared(
                    new Key(text, want),
                    OperationTable.class,
                    () -> compiled(text.getBytes(StandardCharsets.UTF_8), "the definition", want));
        }
    }

    record Stored(ResourceReference reference) implements OpenApiSource {
        @Override
        public OperationTable operations(Want want, Services services) {
            Resource resource = services.resource(reference);
            return services.shared(
                    new Key(resource.sha256(), want),
                    OperationTable.class,
                    () -> compiled(resource.bytes(), "the resource \"" + resource.id() + '"', want));
        }
    }

    private static OperationTable compiled(byte[] text, String where, Want want) {
        JsonNode tree;
        try {
            tree = DocumentText.read(text);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(e.problems().stream()
                    .map(each ->
                            new ConfigProblem(POINTER, "expected JSON or YAML in " + where + ": " + each.message()))
                    .toList());
        }
        return OpenApiCompiler.compile(OpenApiDocument.of(tree, POINTER, want.formats()), want.examples());
    }

    static OpenApiSource read(ConfigNode policy) {
        ConfigNode node = policy.field("document", "OpenAPI 3.0 or 3.1, JSON or YAML")
                .form("OpenAPI document, or `{\"resource\": \"id\"}`");
        if (ResourceReader.isReference(node)) return new Stored(ResourceReader.read(node));
        node.obeys("{\"type\": [\"object\"]}");
        JsonNode tree = node.json().orElseGet(() -> Json.mapper().createObjectNode());
        if (!node.isPresent()) node.problem("expected an OpenAPI document, or {\"resource\": \"id\"}, got nothing");
        else if (!tree.isObject())
            node.problem("expected an OpenAPI document, or {\"resource\": \"id\"}, got "
                    + tree.getNodeType().name().toLowerCase(Locale.ROOT));
        return new Inline(tree);
    }
}
