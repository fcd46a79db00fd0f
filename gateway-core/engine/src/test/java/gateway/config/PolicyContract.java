package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicyType;
import gateway.service.SecretReference.Origin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What every policy owes, whoever wrote it: a reader that no input breaks and that names what is wrong, and a verdict
/// on every request, whatever its body is and whoever is away. Extended for the types of a module:
///
/// ```java
/// final class OurPoliciesTest extends PolicyContract {
///     protected List<PolicyType> types() { return List.of(new RequireTenant.Type()); }
///     protected String example(PolicyType type) { return "{\"type\": \"require-tenant\", \"tenants\": [\"north\"]}"; }
/// }
/// ```
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PolicyContract {
    private static final int WILD = 500;
    private static final List<String> TEXTS = List.of(
            "*",
            "/",
            "/{id}",
            "[",
            "{x}",
            "{",
            "1s",
            "1MiB",
            "10.0.0.0/8",
            "key",
            "header:",
            "https://*.a",
            "$2b$12$",
            "month",
            "GET",
            "Host",
            "a:b",
            "99999999999d",
            "",
            "ü\u0000",
            "x".repeat(300));
    private static final List<String> OTHERS = List.of("null", "true", "-1", "0", "5", "1e300", "9e99");

    /// Those that are held to it.
    protected abstract List<PolicyType> types();

    /// A sound entry of a list of policies.
    protected abstract String example(PolicyType type);

    @ParameterizedTest
    @MethodSource("types")
    void is_named_in_kebab_case(PolicyType type) {
        assertThat(type.name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    }

    @ParameterizedTest
    @MethodSource("types")
    void its_example_is_read_without_problems(PolicyType type) {
        ConfigNode node = definition(json(type));

        ApiDefinition api = reader().read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(api.policies()).extracting("step").startsWith(type.name());
    }

    @ParameterizedTest
    @MethodSource("types")
    void its_example_compiles(PolicyType type) {
        var spec = reader().read(definition(json(type))).policies().getFirst().spec();

        assertThatCode(() -> spec.compile(new PolicyPlace("orders", type.name()), services(type)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("types")
    void an_unknown_field_is_refused(PolicyType type) {
        ConfigNode node = definition(json(type).put("colour", "blue"));

        reader().read(node);

        assertThat(node.problems()).containsExactly(new ConfigProblem("/policies/0/colour", "unknown field"));
    }

    @ParameterizedTest
    @MethodSource("types")
    void each_field_of_a_wrong_kind_is_told_under_its_pointer(PolicyType type) {
        for (String name : json(type).propertyNames()) {
            if (name.equals("type") || name.equals("json")) continue;
            ObjectNode wrong = json(type);
            wrong.set(name, Json.parse("[[{}]]"));
            ConfigNode node = definition(wrong);

            reader().read(node);

            assertThat(node.problems())
                    .as(name)
                    .anyMatch(problem -> problem.pointer().startsWith("/policies/0/" + name));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void reading_an_empty_object_throws_nothing(PolicyType type) {
        assertThatCode(() -> type.read(ConfigNode.parse("{}"))).doesNotThrowAnyException();
    }

    @Test
    void reading_whatever_json_throws_nothing() {
        List<String> names =
                types().stream().flatMap(type -> names(json(type))).distinct().toList();
        for (long seed = 0; seed < WILD; seed++) {
            JsonNode wild = wild(new Random(seed), names, 3);
            for (PolicyType type : types()) {
                var node = ConfigNode.of(wild);
                assertThatCode(() -> {
                            type.read(node);
                            node.refuseUnknownFields();
                        })
                        .as("%s reading %s (seed %d)", type.name(), wild, seed)
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void every_request_gets_an_answer_whatever_its_body_is(PolicyType type) {
        byte[] json = "{\"a\": [1, 2, {\"b\": \"c\"}]}".getBytes(StandardCharsets.UTF_8);
        for (Exchanges request : List.of(
                Exchanges.get("/orders/7?x=1"),
                Exchanges.of("OPTIONS", "/").with("Origin", "https://a").with("Access-Control-Request-Method", "PUT"),
                Exchanges.of("POST", "/").body("").with("Content-Type", "application/json"),
                Exchanges.of("POST", "/").body("{\"a\": ").with("Content-Type", "application/json"),
                Exchanges.of("PUT", "/").chunked("{\"a\": 1}").with("Content-Type", "application/json"),
                Exchanges.of("POST", "/").body("x".repeat(3 << 20)).with("Content-Type", "text/plain"),
                Exchanges.of("POST", "/").body(gzip(json)).with("Content-Encoding", "gzip"),
                Exchanges.of("POST", "/").body("no gzip at all").with("Content-Encoding", "gzip"),
                Exchanges.of("POST", "/").body("{}").with("Content-Encoding", "unheard-of"))) {
            assertThat(answer(type, services(type), request).status()).isBetween(200, 599);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void while_stores_are_away_every_request_gets_an_answer_still(PolicyType type) {
        var services = services(type);
        services.keys().goAway();
        services.limits().goAway();

        Response answer = answer(type, services, Exchanges.get("/").with("Authorization", "Bearer some-key"));

        assertThat(answer.status()).isNotEqualTo(500);
    }

    /// With every secret that the example refers to.
    private FakeServices services(PolicyType type) {
        var services = new FakeServices();
        putSecrets(json(type), services);
        return services;
    }

    private static void putSecrets(JsonNode node, FakeServices services) {
        for (Origin origin : Origin.values()) {
            JsonNode name = node.path(ConfigNode.word(origin));
            if (node.size() == 1 && name.isString())
                services.secrets().put(origin, name.stringValue(), "a-secret".repeat(8));
        }
        node.values().forEach(each -> putSecrets(each, services));
    }

    private Response answer(PolicyType type, FakeServices services, Exchanges request) {
        ConfigNode node = definition(json(type));
        ApiDefinition api = reader().read(node);
        node.throwIfInvalid();
        var pipeline = Pipeline.compile("orders", api.policies(), (_, _) -> Response.of(200), services);
        return pipeline.run(request.make(), new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private ObjectNode json(PolicyType type) {
        return (ObjectNode) Json.parse(example(type));
    }

    private DefinitionReader reader() {
        return new DefinitionReader(PolicyRegistry.of(types()));
    }

    private static ConfigNode definition(JsonNode policy) {
        var json = (ObjectNode) Json.parse("""
                {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]}}
                """);
        json.putArray("policies").add(policy);
        return ConfigNode.of(json);
    }

    private static Stream<String> names(JsonNode node) {
        return Stream.concat(
                node.propertyNames().stream(), node.values().stream().flatMap(PolicyContract::names));
    }

    private static JsonNode wild(Random random, List<String> names, int depth) {
        int kind = random.nextInt(depth == 0 ? 2 : 4);
        if (kind == 0) return Json.mapper().getNodeFactory().stringNode(one(TEXTS, random));
        if (kind == 1) return Json.parse(one(OTHERS, random));
        if (kind == 2) {
            var array = Json.mapper().createArrayNode();
            for (int i = random.nextInt(4); i > 0; i--) array.add(wild(random, names, depth - 1));
            return array;
        }
        var object = Json.mapper().createObjectNode();
        for (int i = random.nextInt(9); i > 0; i--) object.set(one(names, random), wild(random, names, depth - 1));
        return object;
    }

    private static String one(List<String> among, Random random) {
        return among.get(random.nextInt(among.size()));
    }

    private static byte[] gzip(byte[] content) {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
