package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import gateway.app.secrets.WrittenSecret;
import gateway.config.DefinitionReader;
import gateway.config.DescribedDefinitions;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.json.Description;
import gateway.json.Json;
import gateway.json.JsonSchema;
import gateway.json.Shape;
import gateway.json.Shape.Kind;
import gateway.key.ApiKeyJson;
import gateway.key.PlanJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The schemas of definitions and the tables of fields are what the readers read. `.ci/describe` writes them anew.
final class SchemasTest {
    private static final Path ROOT = Path.of("..");
    private static final boolean WRITES = Boolean.getBoolean("gateway.describe");
    private static final Pattern TABLE =
            Pattern.compile("<!-- fields of ([A-Za-z0-9-]+) -->\n\n(.*?)\n\n<!-- end of fields -->", Pattern.DOTALL);
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(\\{.*?\n?})\n```", Pattern.DOTALL);

    private final PolicyRegistry registry = WithoutTestClasses.call(PolicyRegistry::load);
    private final DefinitionReader reader = new DefinitionReader(registry);
    private final DescribedDefinitions definitions = reader.described();
    private final Description api = definitions.api();
    private final Description plan = Description.of(PlanJson::read);
    private final Description key = Description.of(ApiKeyJson::read);
    private final Description secret = Description.of(WrittenSecret::read);
    private final SchemaCheck check = new SchemaCheck(JsonSchema.of("API definition", api));

    @Test
    void the_schemas_in_the_documents_are_those_of_the_readers() throws IOException {
        expect(ROOT.resolve("docs/schema/api.json"), Json.pretty(JsonSchema.of("API definition", api)) + "\n");
        expect(
                ROOT.resolve("docs/schema/policy-set.json"),
                Json.pretty(JsonSchema.of("Policy set", definitions.set())) + "\n");
        expect(
                ROOT.resolve("docs/schema/global.json"),
                Json.pretty(JsonSchema.of("Global policies", definitions.global())) + "\n");
        expect(ROOT.resolve("docs/schema/plan.json"), Json.pretty(JsonSchema.of("Plan", plan)) + "\n");
        expect(ROOT.resolve("docs/schema/key.json"), Json.pretty(JsonSchema.of("Key", key)) + "\n");
        expect(ROOT.resolve("docs/schema/secret.json"), Json.pretty(JsonSchema.of("Secret", secret)) + "\n");
    }

    @Test
    void a_gateway_serves_the_schemas_of_the_documents(@TempDir Path data) throws Exception {
        assumeFalse(WRITES, "what it reads is being written");
        Map<String, String> files = Map.of(
                "apis", "api",
                "policy-sets", "policy-set",
                "global", "global",
                "plans", "plan",
                "keys", "key",
                "secrets", "secret");
        try (DefinedGateway gateway = WithoutTestClasses.call(() -> DefinedGateway.start(data))) {
            for (Map.Entry<String, String> each : files.entrySet()) {
                JsonNode served = gateway.admin().call("GET", "/schemas/" + each.getKey(), "");

                assertThat(Json.pretty(served) + "\n")
                        .as(each.getKey())
                        .isEqualTo(Files.readString(ROOT.resolve("docs/schema/" + each.getValue() + ".json")));
            }
        }
    }

    @Test
    void the_tables_of_fields_are_those_of_the_readers() throws IOException {
        var shown = new TreeSet<String>();
        for (String name : registry.names()) {
            Path page = ROOT.resolve("docs/policies/" + name + ".md");
            String text = Files.readString(page);
            expect(page, TABLE.matcher(text).replaceAll(found -> {
                shown.add(found.group(1));
                return java.util.regex.Matcher.quoteReplacement("<!-- fields of " + found.group(1) + " -->\n\n"
                        + table(found.group(1)) + "\n\n<!-- end of fields -->");
            }));
        }
        assertThat(shown).containsAll(registry.names()).contains("PathRule");
    }

    @Test
    void every_field_says_what_it_means() {
        var silent = new ArrayList<String>();
        addSilent("", api.root(), silent);
        api.shapes().forEach((name, shape) -> addSilent(name, shape, silent));
        for (Description each : List.of(plan, key, secret)) {
            addSilent("", each.root(), silent);
            each.shapes().forEach((name, shape) -> addSilent(name, shape, silent));
        }

        assertThat(silent).isEmpty();
    }

    @Test
    void every_policy_is_described_as_a_whole() {
        for (String name : registry.names()) {
            assertThat(shape(name).kinds())
                    .as(name)
                    .allMatch(kind -> kind instanceof Kind.Fields(Map<String, Shape> _, boolean closed) && closed);
        }
    }

    @Test
    void the_examples_of_the_policies_pages_fit_the_schema() throws IOException {
        for (String name : registry.names()) {
            var example = EXAMPLE.matcher(Files.readString(ROOT.resolve("docs/policies/" + name + ".md")));
            assertThat(example.find()).as(name).isTrue();

            assertThat(flaws(example.group(1))).as(name).isEmpty();
        }
    }

    @Test
    void what_a_reader_takes_the_schema_takes() {
        for (String sound : List.of(
                "{'type': 'quota', 'requests': 1, 'per': '1d'}",
                "{'type': 'quota', 'requests': 1, 'every': 'month', 'zone': 'Europe/Berlin', 'onOutage': 'allow'}",
                "{'type': 'path-rules', 'block': [{'path': '/x', 'exact': true}, {'regex': '/a.*', 'methods': ['GET']}]}",
                "{'type': 'request-size-limit', 'max': '64KiB', 'when': {'answer': {'statuses': [404, '5xx']}}}",
                "{'type': 'request-size-limit', 'max': 64, 'when': {'not': {'not': {'facts': {'/jwt/a': 1}}}}}",
                "{'type': 'mock-response', 'json': [1], 'id': 'mock'}",
                "{'type': 'headers', 'response': {'set': {'X-A': '1'}, 'remove': ['Server']}}",
                "{'use': 'gold'}")) {
            assertThat(flaws(sound.replace('\'', '"'))).as(sound).isEmpty();
        }
        assertThat(check.flaws(definition("""
            "upstream": {"targets": [{"url": "https://h", "weight": 2}], "balance": "hash", "hashBy": "header:X",
              "connectTimeout": "1s", "split": {"branches": [{"name": "b", "percent": 5, "targets": [{"url": "http://i"}]}]},
              "healthCheck": {"type": "grpc", "service": "a.B"}, "ejection": {}, "circuitBreaker": {"slowCall": "1s"},
              "retry": {"statuses": [503], "perTryTimeout": "1s"}, "bulkhead": {"requests": 5}, "dnsRefresh": "1s",
              "mirror": {"targets": [{"url": "http://m"}]}, "tls": {"ca": "x"}},
            "trafficLog": {"sample": 0.5, "capture": {"request": {"body": "4KiB"}}, "mask": {"json": ["$.a"]}},
            "versions": {"in": "path", "list": [{"name": "v1", "expires": "2030-01-01T00:00:00Z",
              "upstream": {"targets": [{"url": "http://h"}]}, "policies": [{"type": "key-auth"}]}]},
            "$schema": "https://example.com/api.json", "enabled": false, "maxBodySize": "1MiB"
            """))).isEmpty();
        assertThat(check.flaws(
                        definition("\"upstream\": {\"targets\": [{\"url\": \"http://h\"}]}, \"trafficLog\": false")))
                .isEmpty();
    }

    @Test
    void keys_and_plans_are_described_too() {
        var keys = new SchemaCheck(JsonSchema.of("Key", key));
        var plans = new SchemaCheck(JsonSchema.of("Plan", plan));

        assertThat(keys.flaws(Json.parse("""
            {"name": "alice", "expires": "2027-01-01T00:00:00Z", "plan": "gold", "metadata": {"a": "b"}, "tags": ["x"],
             "apis": {"orders": {"paths": [{"path": "/items", "methods": ["GET"]}], "versions": ["v1"]}, "b": {}},
             "rateLimit": {"requests": 100, "per": "1s"}}"""))).isEmpty();
        assertThat(keys.flaws(Json.parse("{\"apis\": {\"a\": {\"paths\": [{}]}}, \"quota\": {\"requests\": 0}}")))
                .containsExactlyInAnyOrder(
                        "/apis/a/paths/0/path: required", "/quota/per: required", "/quota/requests: minimum");
        assertThat(plans.flaws(Json.parse("{\"id\": \"a b\", \"limits\": {}}")))
                .containsExactlyInAnyOrder("/id: pattern", "/limits: unknown");
    }

    @Test
    void secrets_are_described_as_they_are_written() {
        var secrets = new SchemaCheck(JsonSchema.of("Secret", secret));

        for (String sound : List.of(
                "{\"$schema\": \"../schema/secret.json\", \"id\": \"token\", \"value\": \"hush\"}",
                "{\"value\": {\"masked\": \"1f8a03c2\"}}")) {
            assertThat(secrets.flaws(Json.parse(sound))).as(sound).isEmpty();
        }
        assertThat(secrets.flaws(Json.parse("{\"id\": \".x\", \"vlaue\": \"hush\"}")))
                .containsExactlyInAnyOrder("/id: pattern", "/value: required", "/vlaue: unknown");
        assertThat(secrets.flaws(Json.parse("{\"value\": 5}"))).isNotEmpty();
    }

    @Test
    void what_the_schema_refuses_the_reader_refuses() {
        Map.ofEntries(
                        Map.entry("{'type': 'rate-limit', 'requests': 0, 'per': '1s'}", "bounds"),
                        Map.entry("{'type': 'rate-limit', 'requests': 1}", "required"),
                        Map.entry("{'type': 'rate-limit', 'requests': 1, 'per': '1 s'}", "form"),
                        Map.entry("{'type': 'rate-limit', 'requests': 1, 'per': '1s', 'by': 5}", "kind"),
                        Map.entry("{'type': 'rate-limit', 'requests': 1, 'per': '1s', 'counting': 'about'}", "choice"),
                        Map.entry("{'type': 'key-auth', 'onOutage': 'allow'}", "unknown here"),
                        Map.entry("{'type': 'key-auth', 'colour': 'red'}", "unknown"),
                        Map.entry("{'type': 'basic-auth', 'users': [{'name': 'a'}]}", "required in an element"),
                        Map.entry("{'type': 'wish'}", "type"),
                        Map.entry("{'type': 'redirect', 'to': '/x', 'status': 304}", "no status of redirects"),
                        Map.entry("{'type': 'rewrite', 'method': 'TRACE'}", "no method that is sent"),
                        Map.entry("{'type': 'mock-response', 'examples': [{'name': 'a b'}]}", "name of an example"),
                        Map.entry("{'type': 'mock-response', 'status': 204, 'body': 'x'}", "content with 204"),
                        Map.entry("{'type': 'http-signature'}", "keys"),
                        Map.entry("{'type': 'http-signature', 'keys': []}", "some keys"),
                        Map.entry("{'type': 'headers', 'request': {'set': {'Host': 'x'}}}", "reserved name"),
                        Map.entry("{'type': 'compression', 'encodings': ['gzip', 'gzip']}", "twice the same"),
                        Map.entry(
                                "{'type': 'oidc', 'issuer': 'https://id', 'callback': '', 'client': {'id': 'a',"
                                        + " 'secret': 'b'}, 'session': {'key': 'c'}}",
                                "path of the callback"),
                        Map.entry("{'use': 'gold', 'type': 'key-auth'}", "both"))
                .forEach((broken, what) -> {
                    String json = broken.replace('\'', '"');
                    ConfigNode node = ConfigNode.of(withPolicy(json));
                    reader.read(node);

                    assertThat(node.hasProblems()).as(what).isTrue();
                    assertThat(flaws(json)).as(what).isNotEmpty();
                });
        assertThat(check.flaws(definition("\"upstream\": {\"targets\": [{\"weight\": 1001}]}")))
                .containsExactly("/upstream/targets/0/url: required", "/upstream/targets/0/weight: maximum");
        for (String upstream : List.of(
                "'hashBy': 'ip'",
                "'balance': 'hash'",
                "'balance': 'hash', 'hashBy': 'cookie'",
                "'retry': {'on': [], 'statuses': []}",
                "'bulkhead': {'requests': 1, 'maxWait': '1s'}",
                "'healthCheck': {'type': 'tcp', 'path': '/'}")) {
            JsonNode json =
                    definition(("'upstream': {'targets': [{'url': 'http://h'}], " + upstream + "}").replace('\'', '"'));
            ConfigNode node = ConfigNode.of(json);
            reader.read(node);

            assertThat(node.hasProblems()).as(upstream).isTrue();
            assertThat(check.flaws(json)).as(upstream).isNotEmpty();
        }
        assertThat(check.flaws(Json.parse("{}")))
                .containsExactlyInAnyOrder("/id: required", "/match: required", "/upstream: required");
    }

    private List<String> flaws(String policy) {
        return check.flaws(withPolicy(policy));
    }

    private static JsonNode withPolicy(String policy) {
        return definition("\"upstream\": {\"targets\": [{\"url\": \"http://h\"}]}, \"policies\": [" + policy + "]");
    }

    private static JsonNode definition(String rest) {
        return Json.parse("{\"id\": \"orders\", \"match\": {\"path\": \"/orders\"}, " + rest + "}");
    }

    /// Of a policy by its type, else by its name.
    private Shape shape(String name) {
        Shape named = api.shapes().get(name);
        if (named != null) return named;
        for (Kind kind : api.shapes().get("Policy").kinds()) {
            if (kind instanceof Kind.OneOf(Map<String, Shape> alternatives) && alternatives.containsKey(name))
                return alternatives.get(name);
        }
        throw new AssertionError("no shape " + name);
    }

    private String table(String name) {
        return registry.names().contains(name) ? FieldTable.ofPolicy(shape(name)) : FieldTable.of(shape(name));
    }

    private static void addSilent(String at, Shape shape, List<String> silent) {
        for (Kind kind : shape.kinds()) {
            if (kind instanceof Kind.Items(Shape element)) addSilent(at + "[]", element, silent);
            if (kind instanceof Kind.OneOf(Map<String, Shape> alternatives))
                alternatives.forEach((name, each) -> addSilent(at + '/' + name, each, silent));
            if (kind instanceof Kind.Fields(Map<String, Shape> fields, boolean _)) {
                fields.forEach((name, field) -> {
                    if (field.meaning().isEmpty()) silent.add(at + '/' + name);
                    addSilent(at + '/' + name, field, silent);
                });
            }
        }
    }

    private static void expect(Path file, String text) throws IOException {
        if (WRITES) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as(file + "; .ci/describe writes it anew")
                .isEqualTo(text);
    }
}
