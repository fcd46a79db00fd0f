package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.NamedCaller;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.LocalKeys;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// Tokens that upstreams are shown for callers: exchanged ones, and the gateway's own.
@Timeout(60)
final class UpstreamTokensTest {
    private static final String EXCHANGE = """
            {'oauth2': {'tokenUrl': 'https://id.example.com/token', 'grant': 'token-exchange',
             'client': {'id': 'gw', 'secret': {'secret': 'gw'}}%s}}""";

    private final FakeServices services = new FakeServices();
    private final List<String> forms = new CopyOnWriteArrayList<>();
    private volatile String answer = "{\"access_token\": \"t%d\", \"token_type\": \"Bearer\", \"expires_in\": 60}";
    private volatile int status = 200;

    @BeforeEach
    void serve() {
        services.secrets().put(Origin.SECRET, "gw", "s3cret");
        services.calls().serve("https://id.example.com", request -> {
            forms.add(new String(request.body().bytes(100_000), StandardCharsets.UTF_8));
            byte[] content = answer.formatted(forms.size()).getBytes(StandardCharsets.UTF_8);
            return new CallAnswer(status, Headers.create(), Body.of(content));
        });
    }

    @Test
    void each_callers_token_is_exchanged_once_and_nobody_gets_anothers() {
        Policy policy = policy(EXCHANGE.formatted(", 'audience': 'orders', 'scopes': ['read']"));

        assertThat(shown(policy, "alice-1")).isEqualTo("Bearer t1");
        assertThat(shown(policy, "bob-1")).isEqualTo("Bearer t2");
        assertThat(shown(policy, "alice-1")).isEqualTo("Bearer t1");
        assertThat(shown(policy, "alice-2")).isEqualTo("Bearer t3");

        assertThat(forms).hasSize(3);
        assertThat(forms.getFirst().split("&"))
                .containsExactlyInAnyOrder(
                        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange",
                        "subject_token=alice-1",
                        "subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token",
                        "audience=orders",
                        "scope=read");
    }

    @Test
    void policies_of_other_terms_share_no_exchanged_token_and_those_of_equal_ones_do() {
        assertThat(shown(policy(EXCHANGE.formatted("")), "a")).isEqualTo("Bearer t1");
        assertThat(shown(policy(EXCHANGE.formatted("")), "a")).isEqualTo("Bearer t1");
        assertThat(shown(policy(EXCHANGE.formatted(", 'audience': 'b'")), "a")).isEqualTo("Bearer t2");
        assertThat(shown(policy(EXCHANGE.formatted(", 'subjectToken': 'id-token'")), "a"))
                .isEqualTo("Bearer t3");
    }

    @Test
    void who_is_not_known_or_shows_no_token_or_two_has_none_exchanged() {
        Policy policy = policy(EXCHANGE.formatted(""));
        for (Exchange each : List.of(
                Exchanges.get("/").with("Authorization", "Bearer made-up").make(),
                Exchanges.get("/").calledBy(named("alice")).make(),
                Exchanges.get("/")
                        .calledBy(named("alice"))
                        .with("Authorization", "Basic YTpi")
                        .make(),
                Exchanges.get("/")
                        .calledBy(named("a"))
                        .with("Authorization", "Bearer a b")
                        .make(),
                Exchanges.get("/")
                        .calledBy(named("alice"))
                        .with("Authorization", "Bearer a")
                        .with("Authorization", "Bearer b")
                        .make())) {
            assertThat(policy.apply(each))
                    .isInstanceOfSatisfying(
                            Verdict.Stop.class,
                            stop -> assertThat(stop.response().status()).isEqualTo(401));
        }
        assertThat(forms).isEmpty();
    }

    @Test
    void a_token_that_the_server_does_not_take_is_its_callers_matter_and_no_outage() {
        Policy policy = policy(EXCHANGE.formatted(""));
        status = 400;
        answer = "{\"error\": \"invalid_grant\"}";

        for (int i = 0; i < 100; i++) {
            assertThat(policy.apply(calling("alice")))
                    .isInstanceOfSatisfying(
                            Verdict.Stop.class,
                            stop -> assertThat(stop.response().status()).isEqualTo(403));
        }
        assertThat(forms).hasSize(1); // not asked again at once

        answer = "{\"error\": \"invalid_client\"}";
        assertThatThrownBy(() -> policy.apply(calling("bob"))).isInstanceOf(DependencyException.class);
        status = 500;
        assertThatThrownBy(() -> policy.apply(calling("carol"))).isInstanceOf(DependencyException.class);
    }

    @Test
    void an_exchanged_token_that_the_upstream_does_not_take_is_exchanged_anew_from_the_callers_own() {
        Policy policy = policy(EXCHANGE.formatted(""));
        Exchange exchange = calling("alice");
        Followup first = followup(policy.apply(exchange));

        assertThat(first.again(Response.of(401))).isTrue();
        Followup second = followup(policy.apply(exchange));

        assertThat(exchange.outgoing().headers().all("Authorization")).containsExactly("Bearer t2");
        assertThat(second.again(Response.of(401))).isFalse();
        assertThat(forms)
                .hasSize(2)
                .allMatch(form -> form.contains("subject_token=alice&") || form.endsWith("subject_token=alice"));
    }

    @ParameterizedTest
    @EnumSource
    void signs_a_token_about_the_caller_that_its_published_key_verifies(OwnAlgorithm algorithm) throws Exception {
        String pem = pem(pair(algorithm));
        services.secrets().put(Origin.SECRET, "key", pem);
        Policy policy = policy("""
                {'jwt': {'key': {'secret': 'key'}, 'algorithm': '%s', 'issuer': 'gw', 'audience': 'orders',
                 'claims': {'plan': '{key.metadata.plan}', 'none': '{key.metadata.none}'}}}""".formatted(algorithm.word()));
        Exchange exchange = Exchanges.get("/").calledBy(named("jwt:\"иван\"\n")).make();

        String shown = header(policy, exchange);

        CompactToken token =
                CompactToken.parse(shown.substring("Bearer ".length())).orElseThrow();
        assertThat(token.claims().get("sub").stringValue()).isEqualTo("jwt:\"иван\"\n");
        assertThat(token.claims().get("plan").stringValue()).isEqualTo("a\"b\\c");
        assertThat(token.claims().has("none")).isFalse();
        assertThat(token.claims().get("iss").stringValue()).isEqualTo("gw");
        assertThat(token.claims().get("aud").stringValue()).isEqualTo("orders");
        assertThat(token.claims().get("exp").asLong(0)
                        - token.claims().get("iat").asLong(0))
                .isEqualTo(60);
        JsonNode published = published(SigningKey.read(pem, algorithm, Optional.empty(), ""));
        assertThat(published.get("keys").get(0).has("d")).isFalse();
        LocalKeys keys = LocalKeys.ofSet(published, Set.of(token.algorithm()));
        assertThat(keys.current().signer(token)).isPresent();
    }

    @Test
    void is_signed_once_for_half_its_life_for_each_caller() throws Exception {
        services.secrets().put(Origin.SECRET, "key", pem(pair(OwnAlgorithm.ES256)));
        Policy policy = policy("{'jwt': {'key': {'secret': 'key'}, 'issuer': 'gw', 'header': 'X-Caller'}}");
        String first = own(policy, "alice");

        assertThat(first).doesNotStartWith("Bearer");
        assertThat(own(policy, "alice")).isEqualTo(first);
        assertThat(own(policy, "bob")).isNotEqualTo(first);
        services.clock().advance(Duration.ofSeconds(29));
        assertThat(own(policy, "alice")).isEqualTo(first);
        services.clock().advance(Duration.ofSeconds(1));
        assertThat(own(policy, "alice")).isNotEqualTo(first);
    }

    @Test
    void what_is_signed_for_an_explanation_is_shown_to_nobody() throws Exception {
        services.secrets().put(Origin.SECRET, "key", pem(pair(OwnAlgorithm.ES256)));
        Policy policy = policy("{'jwt': {'key': {'secret': 'key'}, 'issuer': 'gw', 'header': 'X-Caller'}}");
        Exchange supposed = Exchanges.get("/").calledBy(named("alice")).make();
        supposed.suppose();

        String explained = header(policy, supposed, "X-Caller");

        assertThat(own(policy, "alice")).isNotEqualTo(explained);
    }

    @Test
    void claims_that_run_into_each_other_are_no_one_token() throws Exception {
        services.secrets().put(Origin.SECRET, "key", pem(pair(OwnAlgorithm.ES256)));
        Policy policy = policy("""
                {'jwt': {'key': {'secret': 'key'}, 'issuer': 'gw', 'header': 'X-Caller',
                 'claims': {'a': '{request.header.a}', 'b': '{request.header.b}'}}}""");

        String one = header(
                policy, Exchanges.get("/").with("a", "x1b").with("b", "y").make(), "X-Caller");
        String other = header(
                policy, Exchanges.get("/").with("a", "x").with("b", "1by").make(), "X-Caller");

        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void a_key_that_is_none_or_of_another_kind_or_half_of_another_is_refused_without_being_told() throws Exception {
        KeyPair pair = pair(OwnAlgorithm.ES256);
        String mixed = pem(new KeyPair(pair(OwnAlgorithm.ES256).getPublic(), pair.getPrivate()));
        String lone = pem(pair).substring(0, pem(pair).indexOf("-----BEGIN PUBLIC"));
        for (String each : List.of("hush", lone, mixed, pem(pair(OwnAlgorithm.EDDSA)))) {
            services.secrets().put(Origin.SECRET, "key", each);
            assertThatThrownBy(() -> policy("{'jwt': {'key': {'secret': 'key'}, 'issuer': 'gw'}}"))
                    .isInstanceOf(InvalidConfigException.class)
                    .message()
                    .startsWith("/jwt/key: expected")
                    .doesNotContain("hush", "BEGIN");
        }
    }

    @Test
    void bad_input_is_told_under_its_pointer() {
        assertThat(problems("{'jwt': {'key': {'secret': 'k'}, 'issuer': 'gw', 'algorithm': 'none', 'lifetime': '9s',"
                        + " 'claims': {'sub': 'a', 'b': '\\\"'}, 'header': 'Host'}}"))
                .hasSize(5)
                .anyMatch(each -> each.startsWith("/jwt/algorithm: expected one of RS256"))
                .anyMatch(each -> each.equals("/jwt/claims/sub: the gateway writes sub itself"))
                .anyMatch(each -> each.startsWith("/jwt/claims/b: expected at most"));
        assertThat(problems("{'aws': {'host': 'A B', 'region': '', 'service': 's3/', 'accessKey': {'secret': 'a'},"
                        + " 'secretKey': ['clear'], 'payload': 'unsigned', 'maxBody': '1KiB'}}"))
                .anyMatch(each -> each.startsWith("/aws/host: expected"))
                .anyMatch(each -> each.startsWith("/aws/region: expected"))
                .anyMatch(each -> each.startsWith("/aws/service: expected"))
                .anyMatch(each -> each.startsWith("/aws/secretKey: expected"))
                .anyMatch(each -> each.startsWith("/aws/maxBody: expected only"))
                .noneMatch(each -> each.contains("clear"));
        assertThat(problems(
                        EXCHANGE.replace("token-exchange", "client-credentials").formatted(", 'subjectToken': 'jwt'")))
                .containsExactly("/oauth2/subjectToken: expected only with \"grant\": \"token-exchange\"");
    }

    @Test
    void a_body_without_an_end_is_not_sent_unsigned_to_aws() {
        services.secrets().put(Origin.SECRET, "id", "AKIDEXAMPLE12345");
        Policy policy = policy("""
                {'aws': {'host': 'a.example.com', 'region': 'eu-central-1', 'service': 'execute-api',
                 'accessKey': {'secret': 'id'}, 'secretKey': {'secret': 'gw'}}}""");
        Exchange streaming = Exchanges.of("POST", "/").chunked("abc").make();

        assertThat(policy.apply(streaming))
                .isInstanceOfSatisfying(
                        Verdict.Stop.class,
                        stop -> assertThat(stop.response().status()).isEqualTo(415));
        assertThat(streaming.outgoing().headers().contains("Authorization")).isFalse();
        assertThat(policy.toString()).doesNotContain("s3cret", "AKID");
    }

    private static Consumer named(String id) {
        return new NamedCaller(id, List.of(), Map.of("plan", "a\"b\\c"));
    }

    private static Exchange calling(String token) {
        return Exchanges.get("/")
                .calledBy(named("caller"))
                .with("Authorization", "Bearer " + token)
                .make();
    }

    private static String shown(Policy policy, String token) {
        return header(policy, calling(token));
    }

    private static String own(Policy policy, String caller) {
        return header(policy, Exchanges.get("/").calledBy(named(caller)).make(), "X-Caller");
    }

    private static String header(Policy policy, Exchange exchange) {
        return header(policy, exchange, "Authorization");
    }

    private static String header(Policy policy, Exchange exchange, String name) {
        followup(policy.apply(exchange));
        return exchange.outgoing().headers().first(name).orElseThrow();
    }

    private static Followup followup(Verdict verdict) {
        return ((Verdict.Proceed) verdict).followup();
    }

    private static JsonNode published(SigningKey key) {
        var set = Json.mapper().createObjectNode();
        set.putArray("keys").add(key.published());
        return set;
    }

    private static KeyPair pair(OwnAlgorithm algorithm) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm.family());
        switch (algorithm) {
            case RS256, PS256 -> generator.initialize(2048);
            case ES256 -> generator.initialize(new ECGenParameterSpec("secp256r1"));
            case EDDSA -> {}
        }
        return generator.generateKeyPair();
    }

    private static String pem(KeyPair pair) {
        var encoder = Base64.getMimeEncoder();
        return "-----BEGIN PRIVATE KEY-----\n"
                + encoder.encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n-----BEGIN PUBLIC KEY-----\n"
                + encoder.encodeToString(pair.getPublic().getEncoded()) + "\n-----END PUBLIC KEY-----\n";
    }

    private Policy policy(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamAuth spec = new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "upstream-auth"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
