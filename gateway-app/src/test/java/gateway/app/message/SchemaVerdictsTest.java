package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Generated instances get the verdicts at a whole gateway that npm's `ajv` and PyPI's `jsonschema` give by the same
/// schemas.
@Tag("proofs")
@Timeout(400)
final class SchemaVerdictsTest {
    private static final int EACH = 60;
    private static final String NEWEST = "https://json-schema.org/draft/2020-12/schema";
    private static final String DRAFT_7 = "http://json-schema.org/draft-07/schema#";
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.0",
            "2.5",
            "1e2",
            "\"\"",
            "\"AB-1\"",
            "\"ü€😀\"",
            "\"house\"",
            "[]",
            "[1, 1.0]",
            "[1, \"1\"]",
            "[[1], [1]]",
            "{}",
            "{\"id\": 7}",
            "{\"x\": {\"a\": 1, \"b\": 2}}",
            "{\"toString\": 1}");

    /// A schema and an instance that holds.
    private static final List<List<String>> CASES = List.of(
            List.of("""
                    {"type": "object", "required": ["id", "lines"], "additionalProperties": false,
                     "properties": {"id": {"type": "integer", "minimum": 1}, "note": {"type": ["string", "null"], "maxLength": 3},
                      "lines": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"$ref": "#/%s/line"}}},
                     "%1$s": {"line": {"type": "object", "required": ["sku"], "properties": {
                      "sku": {"pattern": "^[A-Z]{2}-[0-9]+$", "type": "string"},
                      "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}}}}}""", """
                    {"id": 7, "note": "ü€", "lines": [{"sku": "AB-1", "price": 2.5}, {"sku": "CD-22"}]}"""),
            List.of("""
                    {"oneOf": [{"properties": {"kind": {"const": "house"}, "street": {"type": "string"}}, "required": ["kind", "street"]},
                      {"properties": {"kind": {"enum": ["barn", 1, null, [1]]}, "boxes": {"type": "integer"}}, "required": ["kind"]}],
                     "not": {"required": ["id"]}}""", """
                    {"kind": "house", "street": "a", "boxes": 2}"""),
            List.of("""
                    {"type": "object", "propertyNames": {"maxLength": 4}, "minProperties": 1, "maxProperties": 3,
                     "patternProperties": {"^a": {"type": "integer"}, "b$": {"minimum": 5}},
                     "additionalProperties": {"type": "array", "uniqueItems": true}}""", """
                    {"a": 1, "ab": 6, "x": [1, 2, "1", {"a": 1}, {"a": 2}]}"""),
            List.of("""
                    {"if": {"properties": {"country": {"const": "DE"}}, "required": ["country"]},
                     "then": {"properties": {"zip": {"pattern": "^[0-9]{5}$"}}, "required": ["zip"]},
                     "else": {"properties": {"zip": {"minLength": 2}}}, "anyOf": [{"type": "object"}, {"type": "array"}]}""", """
                    {"country": "DE", "zip": "10115"}"""),
            List.of("""
                    {"type": "object", "properties": {"name": {"type": "string"}, "left": {"$ref": "#"}, "right": {"$ref": "#"}},
                     "required": ["name"], "additionalProperties": false}""", """
                    {"name": "a", "left": {"name": "b", "right": {"name": "c"}}, "right": {"name": "d"}}"""),
            List.of("""
                    {"type": "array", "contains": {"type": "number", "maximum": 2}, "items": {"not": {"type": "boolean"}}}""", """
                    [1, "a", null, [true], {"a": false}, 2.5]"""),
            List.of("""
                    {"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": true}, "required": ["b"]}],
                     "properties": {"never": false}, "required": ["a"]}""", """
                    {"a": 1, "b": [1, {"c": 2}]}"""));

    /// Of 2020-12 alone, and not for ajv: it does not count as evaluated what `contains` has evaluated, and counts what
    /// is named like a member of JavaScript's own objects.
    private static final List<List<String>> UNEVALUATED = List.of(List.of("""
                    {"allOf": [{"properties": {"a": {"type": "integer"}}}], "properties": {"b": {"type": "string"}},
                     "patternProperties": {"^x": {}}, "unevaluatedProperties": false,
                     "dependentRequired": {"b": ["a"]}, "dependentSchemas": {"x1": {"minProperties": 2}}}""", """
                    {"a": 1, "b": "c", "x1": null}"""), List.of("""
                    {"prefixItems": [{"type": "string"}, {"type": "number"}], "unevaluatedItems": {"type": "boolean"},
                     "contains": {"const": true}, "minContains": 1, "maxContains": 2}""", """
                    ["a", 1.5, true, false]"""));

    /// Of 2020-12 alone.
    private static final List<List<String>> DYNAMIC = List.of(List.of("""
                    {"$id": "https://a.example/tree", "$dynamicAnchor": "node", "type": "object",
                     "properties": {"data": true, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}}""", """
                    {"data": 1, "children": [{"data": [], "children": []}, {"children": [{"data": null}]}]}"""));

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Random random = new Random(7);
    private HttpServer upstream;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        gateway = DefinedGateway.start(data.resolve("gateway"));
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.stop(0);
    }

    @Test
    void are_those_of_ajv() throws Exception {
        Path folder = ForeignTools.npm("ajv@8.20.0");
        Path program = ForeignTools.copied("/message/ajv_verdicts.mjs", folder);

        assertSame(List.of("node", program.toString()), cases(DYNAMIC));
    }

    @Test
    void are_those_of_jsonschema() throws Exception {
        Path python = ForeignTools.python("jsonschema==4.26.0");
        Path program = ForeignTools.copied("/message/jsonschema_verdicts.py", python.getParent());

        assertSame(List.of(python.toString(), program.toString()), cases(DYNAMIC, UNEVALUATED));
    }

    private void assertSame(List<String> peer, ArrayNode cases) throws Exception {
        List<String> theirs = theirs(peer, cases);
        var differing = new ArrayList<String>();
        int asked = 0;
        int taken = 0;
        for (JsonNode each : cases.values()) {
            gateway.define(
                    "s",
                    "{\"type\": \"json-schema\", \"schema\": " + Json.compact(each.get("schema")) + "}",
                    upstream.getAddress());
            for (JsonNode instance : each.get("instances").values()) {
                int status = status(instance);
                assertThat(status).isIn(200, 422);
                if (status == 200) taken++;
                if (!Boolean.toString(status == 200).equals(theirs.get(asked++)))
                    differing.add(Json.compact(each.get("schema")) + " " + Json.compact(instance));
            }
        }

        assertThat(differing).isEmpty();
        assertThat(asked).isEqualTo(theirs.size()).isEqualTo(EACH * cases.size());
        assertThat(taken).isBetween(asked / 5, asked * 4 / 5);
    }

    @SafeVarargs
    private ArrayNode cases(List<List<String>>... newer) {
        ArrayNode cases = Json.mapper().createArrayNode();
        for (List<String> each : CASES) {
            cases.add(instances(each, DRAFT_7, "definitions"));
            cases.add(instances(each, NEWEST, "$defs"));
        }
        for (List<List<String>> some : newer) {
            for (List<String> each : some) cases.add(instances(each, NEWEST, "$defs"));
        }
        return cases;
    }

    private ObjectNode instances(List<String> made, String draft, String definitions) {
        var schema = (ObjectNode)
                Json.parse(made.getFirst().replace("%s", definitions).replace("%1$s", definitions));
        schema.put("$schema", draft);
        JsonNode good = Json.parse(made.getLast());
        ObjectNode both = Json.mapper().createObjectNode();
        both.set("schema", schema);
        ArrayNode instances = both.putArray("instances").add(good);
        while (instances.size() < EACH) {
            JsonNode changed = good.deepCopy();
            for (int i = 0; i <= random.nextInt(2); i++) changed = changed(changed);
            instances.add(changed);
        }
        return both;
    }

    /// The same with another value somewhere, a member more or one less.
    private JsonNode changed(JsonNode at) {
        if (at.isEmpty() || random.nextInt(4) == 0) return value();
        if (at instanceof ArrayNode array) {
            int index = random.nextInt(array.size());
            switch (random.nextInt(4)) {
                case 0 -> array.remove(index);
                case 1 -> array.add(array.get(index).deepCopy());
                default -> array.set(index, changed(array.get(index)));
            }
            return array;
        }
        var object = (ObjectNode) at;
        List<String> names = List.copyOf(object.propertyNames());
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(4)) {
            case 0 -> object.remove(name);
            case 1 ->
                object.set(
                        List.of("a", "b", "id", "x1", "never", "other", "__proto__")
                                .get(random.nextInt(7)),
                        value());
            default -> object.set(name, changed(object.get(name)));
        }
        return object;
    }

    private JsonNode value() {
        return Json.parse(VALUES.get(random.nextInt(VALUES.size())));
    }

    private int status(JsonNode instance) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri("/s"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.compact(instance)))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private List<String> theirs(List<String> peer, ArrayNode cases) throws Exception {
        Path input = Files.write(data.resolve("cases.json"), Json.compact(cases).getBytes(UTF_8));
        Path output = data.resolve("verdicts");
        Process process = new ProcessBuilder(peer)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(output);
    }
}
