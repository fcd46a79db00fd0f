package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.http.Body;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicyType;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DefinitionSet;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import gateway.service.SecretReference.Origin;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.SnapshotCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
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
    private static final int AT_ONCE = 64;
    private static final String SECRET = "hush-a-secret-of-the-contract-as-long-as-any-key-has-to-be-here";

    /// Those that are held to it.
    protected abstract List<PolicyType> types();

    /// A sound entry of a list of policies.
    protected abstract String example(PolicyType type);

    /// What the example names by `{"resource": …}`, by id.
    protected Map<String, String> resources(PolicyType type) {
        return Map.of();
    }

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
        List<String> names = types().stream()
                .flatMap(type -> WildJson.names(json(type)))
                .distinct()
                .toList();
        for (long seed = 0; seed < WILD; seed++) {
            JsonNode wild = WildJson.wild(new Random(seed), names, 3);
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

    @ParameterizedTest
    @MethodSource("types")
    void whatever_servers_answer_every_request_gets_an_answer_still(PolicyType type) {
        for (Function<CallRequest, CallAnswer> server : List.<Function<CallRequest, CallAnswer>>of(
                _ -> lie(200, ""),
                _ -> lie(200, "<html>"),
                _ -> lie(200, "{\"keys\": 1, \"active\": \"yes\", \"access_token\": []}"),
                _ -> lie(200, "[".repeat(100_000)),
                _ -> lie(302, ""),
                _ -> lie(500, "no"),
                _ -> lie(200, "x".repeat(32 << 20)),
                _ -> {
                    throw new DependencyException("the server", "timeout", "it took too long", null);
                })) {
            var services = services(type);
            services.calls().serveOthers(server);

            Response answer = answer(type, services, Exchanges.get("/").with("Authorization", "Bearer a.b.c"));

            assertThat(answer.status()).isBetween(200, 599).isNotEqualTo(500);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void many_requests_at_once_get_their_answers(PolicyType type) throws Exception {
        Pipeline pipeline = pipeline(type, services(type));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Response>>();
            for (int i = 0; i < AT_ONCE; i++) {
                answers.add(threads.submit(
                        () -> run(pipeline, Exchanges.of("POST", "/").body("{}"))));
            }
            for (Future<Response> each : answers)
                assertThat(each.get().status()).isNotEqualTo(500);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void no_secret_is_told_by_what_is_made_of_it(PolicyType type) {
        var services = services(type);
        PolicyDefinition policy =
                reader().read(definition(json(type))).policies().getFirst();

        assertThat(policy.toString()).doesNotContain(SECRET);
        assertThat(policy.spec().compile(policy.placeIn("orders"), services).toString())
                .doesNotContain(SECRET);
    }

    @ParameterizedTest
    @MethodSource("types")
    void what_it_shares_is_let_go_when_it_is_served_no_more(PolicyType type) {
        var services = services(type);
        var compiler = new SnapshotCompiler(reader(), services, _ -> (_, _) -> Response.of(200));
        String api = definition(json(type)).json().orElseThrow().toString();
        var live = new LiveSnapshot();

        var documents = new HashMap<DocumentId, String>();
        documents.put(DocumentId.api("orders"), api);
        for (String name : secrets(json(type))) {
            documents.put(new DocumentId(DocumentKind.SECRETS, name), "{\"value\": \"" + SECRET + "\"}");
        }

        resources(type).forEach((id, content) -> {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            var resource = ResourceDocument.of(id, "", bytes);
            services.contents().keep(bytes);
            documents.put(new DocumentId(DocumentKind.RESOURCES, id), resource.json());
        });
        live.replace(compiler.compileLeniently(new DefinitionSet(1, documents), live.current()));
        assertThat(live.current().problems()).isEmpty();
        live.replace(compiler.compileLeniently(DefinitionSet.ofApis(2, Map.of()), live.current()));

        assertThat(services.parts().size()).isZero();
    }

    private static CallAnswer lie(int status, String body) {
        return new CallAnswer(status, Headers.create(), Body.of(body.getBytes(StandardCharsets.UTF_8)));
    }

    /// With every secret and resource that the example refers to.
    private FakeServices services(PolicyType type) {
        var services = new FakeServices();
        resources(type).forEach(services::putResource);
        putSecrets(json(type), services);
        return services;
    }

    private static void putSecrets(JsonNode node, FakeServices services) {
        for (Origin origin : Origin.values()) {
            JsonNode name = node.path(ConfigNode.word(origin));
            if (node.size() == 1 && name.isString()) services.secrets().put(origin, name.stringValue(), SECRET);
        }
        node.values().forEach(each -> putSecrets(each, services));
    }

    private static List<String> secrets(JsonNode node) {
        JsonNode name = node.path("secret");
        if (name.isString()) return List.of(name.stringValue());
        return node.values().stream().flatMap(each -> secrets(each).stream()).toList();
    }

    private Response answer(PolicyType type, FakeServices services, Exchanges request) {
        return run(pipeline(type, services), request);
    }

    private static Response run(Pipeline pipeline, Exchanges request) {
        return pipeline.run(request.make(), new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private Pipeline pipeline(PolicyType type, FakeServices services) {
        ConfigNode node = definition(json(type));
        ApiDefinition api = reader().read(node);
        node.throwIfInvalid();
        return Pipeline.compile("orders", api.policies(), (_, _) -> Response.of(200), services);
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
