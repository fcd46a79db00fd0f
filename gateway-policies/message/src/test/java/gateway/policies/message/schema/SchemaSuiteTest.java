package gateway.policies.message.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The official test suite of JSON Schema, as the sources of PyPI's `jsonschema` bring it: all drafts, and the formats
/// that are asserted. What is not passed is named, with the reason, here and in docs/policies/json-schema.md.
final class SchemaSuiteTest {
    private static final String SOURCES = "jsonschema==4.26.0";
    private static final Map<SchemaDraft, String> FOLDERS = Map.of(
            SchemaDraft.DRAFT_4, "draft4",
            SchemaDraft.DRAFT_6, "draft6",
            SchemaDraft.DRAFT_7, "draft7",
            SchemaDraft.DRAFT_2019_09, "draft2019-09",
            SchemaDraft.DRAFT_2020_12, "draft2020-12");
    private static final Map<SchemaDraft, String> URIS = Map.of(
            SchemaDraft.DRAFT_4, "http://json-schema.org/draft-04/schema#",
            SchemaDraft.DRAFT_6, "http://json-schema.org/draft-06/schema#",
            SchemaDraft.DRAFT_7, "http://json-schema.org/draft-07/schema#",
            SchemaDraft.DRAFT_2019_09, "https://json-schema.org/draft/2019-09/schema",
            SchemaDraft.DRAFT_2020_12, "https://json-schema.org/draft/2020-12/schema");
    private static final Set<String> OPTIONAL = Set.of(
            "bignum",
            "cross-draft",
            "date",
            "date-time",
            "duration",
            "ecmascript-regex",
            "email",
            "float-overflow",
            "hostname",
            "ipv4",
            "ipv6",
            "json-pointer",
            "non-bmp-regex",
            "time",
            "uri",
            "uuid",
            "zeroTerminatedFloats");

    private static Path suite;
    private static List<SchemaDocument> documents;

    @BeforeAll
    static void fetch() throws IOException {
        suite = FetchedPackage.sources(SOURCES).resolve("json");
        documents = new ArrayList<>();
        try (Stream<Path> files = Files.walk(suite.resolve("remotes"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".json")).toList()) {
                String path = suite.resolve("remotes").relativize(file).toString();
                JsonNode tree = Json.parse(Files.readAllBytes(file), _ -> {});
                if (!hasUnknownDialect(tree))
                    documents.add(new SchemaDocument("http://localhost:1234/" + path, tree, ""));
            }
        }
        documents.addAll(MetaSchemas.all());
    }

    private static boolean hasUnknownDialect(JsonNode tree) {
        String schema = tree.path("$schema").asString("");
        return !schema.isEmpty() && SchemaDraft.of(schema).isEmpty();
    }

    @Test
    void passes_the_suite_but_for_what_is_named() throws IOException {
        var failed = new TreeSet<String>();
        var score = new TreeMap<SchemaDraft, int[]>();
        for (SchemaDraft draft : FOLDERS.keySet()) {
            int[] counts = score.computeIfAbsent(draft, _ -> new int[2]);
            for (Path file : files(draft)) run(draft, file, counts, failed);
        }

        assertThat(failed)
                .hasSize(11)
                .allMatch(name -> name.matches("draft20[0-9-]+/vocabulary.json: .*")
                        || name.startsWith("draft2020-12/ecmascript-regex.json: \\a is not"));
        String page = Files.readString(Path.of("../../docs/policies/json-schema.md"));
        score.forEach((draft, counts) -> assertThat(page)
                .contains("| " + FOLDERS.get(draft).replaceFirst("draft", "") + " | " + counts[0] + " of " + counts[1]
                        + " |"));
    }

    private static List<Path> files(SchemaDraft draft) throws IOException {
        Path folder = suite.resolve("tests").resolve(FOLDERS.get(draft));
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> !file.toString().contains("optional")
                            || OPTIONAL.contains(file.getFileName().toString().replace(".json", "")))
                    .sorted()
                    .toList();
        }
    }

    private static void run(SchemaDraft draft, Path file, int[] counts, Set<String> failed) throws IOException {
        boolean formats = file.getParent().endsWith("format");
        for (JsonNode group : Json.parse(Files.readAllBytes(file), _ -> {}).values()) {
            for (JsonNode test : group.get("tests").values()) {
                counts[1]++;
                String name = FOLDERS.get(draft) + '/' + file.getFileName() + ": "
                        + group.get("description").stringValue() + ": "
                        + test.get("description").stringValue();
                String got = verdict(draft, group.get("schema"), test.get("data"), formats);
                if (got.equals(Boolean.toString(test.get("valid").booleanValue()))) counts[0]++;
                else failed.add(name + " -> " + got);
            }
        }
    }

    private static String verdict(SchemaDraft draft, JsonNode schema, JsonNode data, boolean formats) {
        JsonNode written = Json.parse(Json.compact(schema).getBytes(UTF_8), _ -> {});
        if (written instanceof ObjectNode object && !object.has("$schema")) object.put("$schema", URIS.get(draft));
        try {
            var main = new SchemaDocument(SchemaDocument.NAMELESS, written, "");
            var known = new ArrayList<SchemaDocument>();
            for (SchemaDocument each : documents) known.add(each);
            return Boolean.toString(CompiledSchema.of(main, known, formats)
                    .findings(data, 1_000_000, 20)
                    .isEmpty());
        } catch (InvalidConfigException e) {
            return "refused: " + e.getMessage();
        }
    }
}
