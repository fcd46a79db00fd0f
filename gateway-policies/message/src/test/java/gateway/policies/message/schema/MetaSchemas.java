package gateway.policies.message.schema;

import gateway.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The schemas of schemas, as PyPI's `jsonschema-specifications` brings them.
final class MetaSchemas {
    private MetaSchemas() {}

    static List<SchemaDocument> all() throws IOException {
        Path folder = FetchedPackage.sources("jsonschema-specifications==2025.9.1")
                .resolve("jsonschema_specifications/schemas");
        var all = new ArrayList<SchemaDocument>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                JsonNode tree = Json.parse(Files.readAllBytes(file), _ -> {});
                String id = tree.has("$id")
                        ? tree.get("$id").stringValue()
                        : tree.path("id").asString("");
                if (SchemaDraft.of(tree.path("$schema").asString("")).isPresent())
                    all.add(new SchemaDocument(id, tree, ""));
            }
        }
        return all;
    }
}
