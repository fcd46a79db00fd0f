package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonPointer;

@Timeout(60)
final class OAuth2IntrospectionTest {
    private static final String HOST = "https://id.example";
    private static final String USUAL = "{'url': 'https://id.example/introspect', 'audiences': ['orders'],"
            + " 'client': {'id': 'gate way', 'secret': {'secret': 'introspection'}}";

    private final FakeServices services = new FakeServices();
    private final ConcurrentLinkedQueue<CallRequest> asked = new ConcurrentLinkedQueue<>();
    private final long now = services.clock().millis() / 1_000;

    @BeforeEach
    void start() {
        services.secrets().put(Origin.SECRET, "introspection", "p&ss:word");
        answer(200, active("'exp': " + (now + 600)));
    }

    private void answer(int status, String text) {
        services.calls().serve(HOST, request -> {
            asked.add(request);
            byte[] content = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            return new CallAnswer(status, Headers.create(), Body.of(content));
        });
    }

    private static String active(String more) {
        return "{'active': true, 'sub': 'alice', 'aud': 'orders', 'scope': 'read write', " + more + "}";
    }

    @Test
    void asks_as_the_client_that_it_is_and_names_the_caller() {
        Policy policy = policy(USUAL + ", 'tokenTypeHint': 'access_token', 'consumer': {'tags': 'scope'}}");
        Exchange exchange = bearing("2YotnFZFEjr1zCsicMWpAA+/=");

        assertThat(stop(policy, exchange)).isEmpty();

        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("oauth2:id.example/alice");
        assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("read", "write");
        assertThat(exchange.fact(JsonPointer.compile("/oauth2-introspection/sub")))
                .isPresent();
        assertThat(exchange.headers().contains("Authorization")).isFalse();
        CallRequest request = asked.remove();
        String pair = Base64.getEncoder().encodeToString("gate+way:p%26ss%3Aword".getBytes(StandardCharsets.UTF_8));
        assertThat(request.path()).isEqualTo("/introspect");
        assertThat(request.headers().first("Authorization")).contains("Basic " + pair);
        assertThat(form(request)).isEqualTo("token=2YotnFZFEjr1zCsicMWpAA%2B%2F%3D&token_type_hint=access_token");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'iss': 'https://id.example'                       |                   | oauth2:id.example/alice
            'iss': 'https://id.example/'                      |                   | oauth2:id.example/alice
            'iss': 'https://outside.example'                  |                   | oauth2:id.example/alice
            'iss': 'https://id.example/realms/a'              |                   | oauth2:id.example;realms;a/alice
            'iss': 'https://outside.example:8443/realms/b'    |                   | oauth2:id.example;realms;b/alice
            'iss': 'https://id.example/realms%2Fa'            |                   | oauth2:id.example;realms%252Fa/alice
            'iss': 'https://id.example/a;b'                   |                   | oauth2:id.example;a%3Bb/alice
            'iss': 'https://id.example/realms/a'              | , 'name': 'corp'  | oauth2:corp/alice
            'iss': 'https://b.example'                        | , 'issuers': ['https://a.example', 'https://b.example'] | oauth2:b.example/alice
            """, quoteCharacter = '"')
    void callers_of_two_realms_of_one_server_are_two(String issuer, @Nullable String more, String id) {
        answer(200, active(issuer));
        Exchange exchange = bearing("a");

        assertThat(stop(policy(USUAL + (more == null ? "" : more) + '}'), exchange))
                .isEmpty();

        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo(id);
    }

    @Test
    void who_is_called_otherwise_by_another_policy_is_not_remembered_for_it() {
        assertThat(stop(policy(USUAL + '}'), bearing("a"))).isEmpty();
        Exchange exchange = bearing("a");

        assertThat(stop(policy(USUAL + ", 'name': 'corp'}"), exchange)).isEmpty();

        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("oauth2:corp/alice");
    }

    @Test
    void says_in_the_form_who_it_is_where_that_is_wished() {
        Policy policy = policy(USUAL.replace("'id': 'gate way'", "'id': 'gate way', 'method': 'post'") + "}");

        assertThat(stop(policy, bearing("a"))).isEmpty();

        CallRequest request = asked.remove();
        assertThat(request.headers().contains("Authorization")).isFalse();
        assertThat(form(request)).isEqualTo("token=a&client_id=gate+way&client_secret=p%26ss%3Aword");
    }

    @Test
    void what_is_no_token_is_refused_without_a_question() {
        Policy policy = policy(USUAL + "}");
        for (String text : List.of("a&active=true", "a b", "a%0d%0ab", "ä", "x".repeat(1 << 20), "a\"b", "a,b")) {
            assertThat(detail(stop(policy, bearing(text)).orElseThrow())).isEqualTo("The token is invalid");
        }
        assertThat(stop(policy, Exchanges.get("/").make()).map(OAuth2IntrospectionTest::detail))
                .contains("The token is missing");
        assertThat(asked).isEmpty();
    }

    @Test
    void an_active_token_is_asked_about_again_when_that_is_due_and_never_taken_past_its_end() {
        Policy policy = policy(USUAL + ", 'cacheFor': '1m', 'clockSkew': '0s'}");
        answer(200, active("'exp': " + (now + 90)));
        for (int i = 0; i < 5; i++) assertThat(stop(policy, bearing("a"))).isEmpty();
        assertThat(asked).hasSize(1);

        services.clock().advance(Duration.ofSeconds(60));
        for (int i = 0; i < 5; i++) assertThat(stop(policy, bearing("a"))).isEmpty();
        assertThat(asked).hasSize(2);

        services.clock().advance(Duration.ofSeconds(30));
        assertThat(detail(stop(policy, bearing("a")).orElseThrow())).isEqualTo("The token is expired");
        assertThat(asked).hasSize(3);
    }

    @Test
    void with_nothing_remembered_a_revocation_holds_at_once() {
        Policy policy = policy(USUAL + ", 'cacheFor': '0s'}");
        assertThat(stop(policy, bearing("a"))).isEmpty();

        answer(200, "{'active': false}");

        assertThat(stop(policy, bearing("a"))).isPresent();
    }

    @Test
    void with_nothing_remembered_nobody_takes_an_answer_to_a_question_that_was_put_before_he_came() throws Exception {
        var begun = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        services.calls().serve(HOST, request -> {
            asked.add(request);
            boolean isFirst = asked.size() == 1;
            if (isFirst) begun.countDown();
            if (isFirst) await(over);
            String said = isFirst ? active("'x': 1").replace('\'', '"') : "{\"active\": false}"; // revoked meanwhile
            return new CallAnswer(200, Headers.create(), Body.of(said.getBytes(StandardCharsets.UTF_8)));
        });
        Policy policy = policy(USUAL + ", 'cacheFor': '0s', 'timeout': '20s'}");
        var first = new ConcurrentLinkedQueue<Boolean>();
        var later = new ConcurrentLinkedQueue<Boolean>();
        var threads = new ArrayList<Thread>();
        threads.add(Thread.startVirtualThread(
                () -> first.add(stop(policy, bearing("a")).isEmpty())));
        begun.await();
        for (int i = 0; i < 20; i++) {
            threads.add(Thread.startVirtualThread(
                    () -> later.add(stop(policy, bearing("a")).isEmpty())));
        }
        while (!threads.stream()
                .allMatch(each ->
                        each.getState() == Thread.State.WAITING || each.getState() == Thread.State.TIMED_WAITING))
            Thread.onSpinWait();

        over.countDown();
        for (Thread each : threads) each.join();

        assertThat(first).containsExactly(true);
        assertThat(later).hasSize(20).containsOnly(false);
    }

    @Test
    void an_answer_is_as_old_as_its_question() {
        Policy policy = policy(USUAL + ", 'cacheFor': '30s'}");
        services.calls().serve(HOST, request -> {
            asked.add(request);
            services.clock().advance(Duration.ofSeconds(20)); // on its way
            String said = active("'x': 1").replace('\'', '"');
            return new CallAnswer(200, Headers.create(), Body.of(said.getBytes(StandardCharsets.UTF_8)));
        });
        assertThat(stop(policy, bearing("a"))).isEmpty();
        services.clock().advance(Duration.ofMillis(9_999));
        assertThat(stop(policy, bearing("a"))).isEmpty();
        assertThat(asked).hasSize(1);

        services.clock().advance(Duration.ofMillis(1));
        assertThat(stop(policy, bearing("a"))).isEmpty();

        assertThat(asked).hasSize(2);
    }

    @Test
    void a_token_that_is_not_active_is_not_asked_about_again_for_a_while() {
        Policy policy = policy(USUAL + ", 'negativeCacheFor': '5s'}");
        answer(200, "{'active': false}");
        for (int i = 0; i < 5; i++) assertThat(stop(policy, bearing("a"))).isPresent();
        assertThat(asked).hasSize(1);

        answer(200, active("'x': 1"));
        services.clock().advance(Duration.ofSeconds(5));

        assertThat(stop(policy, bearing("a"))).isEmpty();
    }

    @Test
    void what_time_alone_sets_right_is_not_remembered() {
        TokenSmith smith = TokenSmith.of("RS256", "k");
        String local = ", 'localFirst': [{'name': 'op', 'algorithms': ['RS256'], 'audiences': [], 'keys': {'keys': ["
                + smith.jwk() + "]}}]";
        String times = "\"exp\": " + (now + 600) + ", \"nbf\": " + (now + 31);
        Policy said = policy(USUAL + ", 'negativeCacheFor': '1m'}");
        Policy signed = policy(USUAL + local + ", 'negativeCacheFor': '1m'}");
        String token = smith.token("{" + times + "}");
        answer(200, active(times));
        assertThat(stop(said, bearing("a"))).isPresent();
        assertThat(stop(signed, bearing(token))).isPresent();

        services.clock().advance(Duration.ofSeconds(1));

        assertThat(stop(said, bearing("a"))).isEmpty();
        assertThat(stop(signed, bearing(token))).isEmpty();
    }

    @Test
    void an_active_token_for_others_is_none() {
        Policy policy = policy(USUAL + ", 'issuers': ['https://id.example'], 'requireClaims': {'scope': ['a']}}");
        for (String said : List.of(
                "{'active': true, 'sub': 'a', 'aud': 'billing', 'iss': 'https://id.example', 'scope': 'a'}",
                "{'active': true, 'sub': 'a', 'iss': 'https://id.example', 'scope': 'a'}",
                "{'active': true, 'sub': 'a', 'aud': 'orders', 'iss': 'https://id.example/', 'scope': 'a'}",
                "{'active': true, 'sub': 'a', 'aud': 'orders', 'iss': 'https://id.example', 'scope': 'b'}",
                "{'active': true, 'aud': 'orders', 'iss': 'https://id.example', 'scope': 'a'}",
                "{'active': true, 'sub': 'a', 'aud': 'orders', 'iss': 'https://id.example', 'scope': 'a', 'exp': 'x'}")) {
            answer(200, said);
            services.clock().advance(Duration.ofMinutes(5));

            assertThat(stop(policy, bearing("a")).map(Response::status))
                    .as(said)
                    .contains(401);
        }
        answer(200, "{'active': true, 'sub': 'a', 'aud': ['orders'], 'iss': 'https://id.example', 'scope': 'a'}");
        services.clock().advance(Duration.ofMinutes(5));
        assertThat(stop(policy, bearing("a"))).isEmpty();
    }

    @Test
    void an_answer_that_cannot_be_believed_is_no_verdict() {
        Policy policy = policy(USUAL + "}");
        for (String said : List.of(
                "<html>",
                "",
                "[]",
                "{}",
                "{'active': 'true'}",
                "{'active': 1}",
                "{'active': true, 'active': true, 'sub': 'a', 'aud': 'orders'}",
                " ".repeat(2 << 20))) {
            answer(200, said);

            assertThatThrownBy(() -> stop(policy, bearing("a"))).as(said).isInstanceOf(DependencyException.class);
        }
        for (int status : List.of(302, 400, 401, 403, 404, 500, 503)) {
            answer(status, active("'x': 1"));

            assertThatThrownBy(() -> stop(policy, bearing("a"))).isInstanceOf(DependencyException.class);
        }
        answer(200, active("'x': 1"));
        assertThat(stop(policy, bearing("a"))).isEmpty();
    }

    @Test
    void an_active_token_goes_on_for_a_while_when_the_server_is_away() {
        Policy policy = policy(USUAL + ", 'cacheFor': '30s', 'stale': '10m', 'clockSkew': '0s'}");
        answer(200, active("'exp': " + (now + 300)));
        assertThat(stop(policy, bearing("a"))).isEmpty();

        answer(500, "");
        services.clock().advance(Duration.ofSeconds(299));
        assertThat(stop(policy, bearing("a"))).isEmpty();
        assertThatThrownBy(() -> stop(policy, bearing("b"))).isInstanceOf(DependencyException.class);

        services.clock().advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> stop(policy, bearing("a"))).isInstanceOf(DependencyException.class);
    }

    @Test
    void a_flood_of_made_up_tokens_leaves_good_ones_where_they_are() {
        Policy policy = policy(USUAL + "}");
        assertThat(stop(policy, bearing("good"))).isEmpty();
        answer(200, "{'active': false}");

        for (int i = 0; i < 15_000; i++)
            assertThat(stop(policy, bearing("made-up-" + i))).isPresent();
        asked.clear();

        assertThat(stop(policy, bearing("good"))).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void policies_that_ask_for_something_else_share_nothing() {
        assertThat(stop(policy(USUAL + "}"), bearing("a"))).isEmpty();

        assertThat(stop(policy(USUAL.replace("['orders']", "['billing']") + "}"), bearing("a")))
                .isPresent();
        assertThat(stop(policy(USUAL + "}"), bearing("a"))).isEmpty();
        assertThat(asked).hasSize(2);
    }

    @Test
    void a_hundred_with_one_new_token_make_one_question() throws Exception {
        var over = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        services.calls().serve(HOST, request -> {
            asked.add(request);
            begun.countDown();
            await(over);
            String said = active("'x': 1").replace('\'', '"');
            return new CallAnswer(200, Headers.create(), Body.of(said.getBytes(StandardCharsets.UTF_8)));
        });
        Policy policy = policy(USUAL + ", 'timeout': '20s'}");
        var passed = new ConcurrentLinkedQueue<Boolean>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) {
            threads.add(Thread.startVirtualThread(
                    () -> passed.add(stop(policy, bearing("a")).isEmpty())));
        }
        begun.await();

        over.countDown();
        for (Thread each : threads) each.join();

        assertThat(passed).hasSize(100).containsOnly(true);
        assertThat(asked).hasSize(1);
    }

    @Test
    void more_questions_than_may_be_wait_and_are_no_verdict_in_the_end() throws Exception {
        var over = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        services.calls().serve(HOST, request -> {
            begun.countDown();
            await(over);
            String said = active("'x': 1").replace('\'', '"');
            return new CallAnswer(200, Headers.create(), Body.of(said.getBytes(StandardCharsets.UTF_8)));
        });
        Policy policy = policy(USUAL + ", 'timeout': '10ms', 'concurrency': 1}");
        Thread first = Thread.startVirtualThread(() -> stop(policy, bearing("a")));
        begun.await();

        assertThatThrownBy(() -> stop(policy, bearing("b"))).isInstanceOf(DependencyException.class);

        over.countDown();
        first.join();
        assertThat(stop(policy, bearing("b"))).isEmpty();
    }

    @Test
    void tokens_that_no_known_issuer_has_signed_are_refused_without_a_question() {
        TokenSmith smith = TokenSmith.of("RS256", "k");
        String issuer = "{'name': 'op', 'keys': {'keys': [" + smith.jwk() + "]}, 'algorithms': ['RS256'],"
                + " 'audiences': []}";
        Policy policy = policy(USUAL + ", 'localFirst': [" + issuer + "]}");
        String claims = "{\"exp\": " + (now + 60) + "}";

        assertThat(stop(policy, bearing(smith.token(claims)))).isEmpty();
        assertThat(asked).hasSize(1);
        for (String token : List.of(
                TokenSmith.of("RS256", "k").token(claims),
                smith.by("RS512").token(claims),
                "opaque",
                "a.b.c",
                smith.token("{\"exp\": " + (now - 60) + "}"))) {
            assertThat(stop(policy, bearing(token)).map(Response::status)).contains(401);
        }
        assertThat(asked).hasSize(1);
    }

    @Test
    void may_be_one_of_several_ways_in() {
        var policy = (AuthenticationPolicy) policy(USUAL + "}");

        assertThat(policy.shownAt(bearing("a"))).isEqualTo("header:authorization");
        assertThat(policy.shownAt(Exchanges.get("/").make())).isNull();
        assertThat(policy.challenge()).isEqualTo("Bearer realm=\"orders\"");
    }

    @Test
    void tells_what_became_of_tokens() {
        Policy policy = policy(USUAL + "}");
        for (int i = 0; i < 3; i++) assertThat(stop(policy, bearing("a"))).isEmpty();
        assertThat(stop(policy, bearing("&"))).isPresent();

        assertThat(List.of(tokens("remembered"), tokens("verified"), tokens("refused")))
                .containsExactly(2.0, 1.0, 1.0);
    }

    private double tokens(String result) {
        return services.meters()
                .get("gateway.tokens")
                .tags("policy", "oauth2-introspection", "result", result)
                .counter()
                .count();
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        assertThat(problems("{}"))
                .contains(
                        "/audiences: expected an array, got nothing; [] says any on purpose",
                        "/client: expected an object, got nothing");
        assertThat(problems(USUAL.replace("https", "http") + "}"))
                .containsExactly("/url: expected https://, since \"allowPlaintext\" is not true, got http://");
        assertThat(problems(USUAL.replace(", 'secret': {'secret': 'introspection'}", "") + "}"))
                .singleElement()
                .asString()
                .startsWith("/client/secret: expected the secret, {");
    }

    private Policy policy(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        OAuth2Introspection spec = new OAuth2Introspection.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "oauth2-introspection"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new OAuth2Introspection.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static String form(CallRequest request) {
        return new String(request.body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8);
    }

    private static Exchange bearing(String token) {
        return Exchanges.get("/").with("Authorization", "Bearer " + token).make();
    }

    private static Optional<Response> stop(Policy policy, Exchange exchange) {
        return switch (policy.apply(exchange)) {
            case Verdict.Stop(Response response) -> Optional.of(response);
            case Verdict.Answer(Response response, var _) -> Optional.of(response);
            case Verdict.Proceed(var _) -> Optional.empty();
        };
    }

    private static String detail(Response response) {
        byte[] content = response.body().bytes(Long.MAX_VALUE);
        return Json.parse(new String(content, StandardCharsets.UTF_8))
                .get("detail")
                .stringValue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
