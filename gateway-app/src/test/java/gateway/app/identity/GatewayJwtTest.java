package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import gateway.json.Json;
import gateway.policies.cryptography.TokenSmith;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Signed tokens on a whole gateway, whose identity provider breaks in every way: attacks 25, 26 and 28, and those on
/// the token itself as bytes on a socket.
@Timeout(120)
final class GatewayJwtTest {
    private static final TokenSmith FIRST = TokenSmith.of("RS256", "first");
    private static final TokenSmith SECOND = TokenSmith.of("ES256", "second");

    @TempDir
    private Path data;

    private final IdentityProvider provider = IdentityProvider.start(FIRST);

    @AfterEach
    void stop() {
        provider.close();
    }

    @Test
    void lets_good_tokens_pass_without_them_and_nothing_else() {
        try (GuardedGateway gateway = start("30s", "1h")) {
            String good = FIRST.token(claims("alice"));
            assertThat(gateway.status(good)).isEqualTo(200);
            assertThat(gateway.status(good)).isEqualTo(200);
            assertThat(gateway.arrived())
                    .hasSize(2)
                    .allSatisfy(headers ->
                            assertThat(headers).doesNotContain(good).doesNotContainIgnoringCase("authorization"));

            for (String bad : hostile()) {
                assertThat(gateway.status(bad)).as(bad).isEqualTo(401);
            }
            assertThat(gateway.arrived()).hasSize(2);
            assertThat(provider.asked()).containsExactly("GET /keys");
        }
    }

    private static List<String> hostile() {
        String good = FIRST.token(claims("alice"));
        String payload = good.substring(good.indexOf('.'), good.lastIndexOf('.') + 1);
        var tokens = new ArrayList<String>();
        for (String alg : List.of("none", "NONE", "nOnE", "HS256", "RS512")) {
            tokens.add(text("{\"alg\":\"" + alg + "\",\"kid\":\"first\"}") + payload);
            tokens.add(FIRST.token("{\"alg\":\"" + alg + "\",\"kid\":\"first\"}", claims("alice")));
        }
        TokenSmith liar = TokenSmith.sharing("HS256", FIRST.pem().getBytes(StandardCharsets.UTF_8));
        tokens.add(liar.token("{\"alg\":\"HS256\",\"kid\":\"first\"}", claims("alice")));
        tokens.add(TokenSmith.of("RS256", "first").token(claims("alice")));
        tokens.add(FIRST.token("{\"alg\":\"RS256\",\"kid\":\"first\",\"alg\":\"RS256\"}", claims("alice")));
        tokens.add(FIRST.token("{\"alg\":\"RS256\",\"kid\":\"first\",\"crit\":[\"x\"],\"x\":1}", claims("alice")));
        for (String exp : List.of("\"4102444800\"", "1e308", "-1", "9223372036854775808")) {
            tokens.add(FIRST.token("{\"sub\":\"alice\",\"aud\":\"orders\",\"exp\":" + exp + "}"));
        }
        tokens.add(FIRST.token(claims("alice").replace("\"orders\"", "[[\"orders\"]]")));
        tokens.add(FIRST.token(claims("alice").replace("\"aud\"", "\"other\"")));
        tokens.add(good + "A");
        tokens.add("x".repeat(17_000));
        return tokens;
    }

    @Test
    void what_a_token_says_of_keys_makes_no_request() throws Exception {
        try (var canary = new ServerSocket(0);
                GuardedGateway gateway = start("1h", "1h")) {
            TokenSmith liar = TokenSmith.of("RS256", "first");
            String place = "\"http://127.0.0.1:" + canary.getLocalPort() + "/keys\"";
            for (String member :
                    List.of("\"jku\":" + place, "\"x5u\":" + place, "\"jwk\":" + liar.jwk(), "\"x5c\":[\"AAAA\"]")) {
                assertThat(gateway.status(
                                liar.token("{\"alg\":\"RS256\",\"kid\":\"first\"," + member + "}", claims("a"))))
                        .isEqualTo(401);
                assertThat(gateway.status(
                                liar.token("{\"alg\":\"RS256\",\"kid\":\"own\"," + member + "}", claims("a"))))
                        .isEqualTo(401);
            }
            canary.setSoTimeout(1);
            assertThat(catchThrowable(canary::accept)).isInstanceOf(SocketTimeoutException.class);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void a_thousand_made_up_keys_make_one_fetch_and_harm_nobody() throws Exception {
        try (GuardedGateway gateway = start("1h", "1h")) {
            assertThat(gateway.status(FIRST.token(claims("alice")))).isEqualTo(200);
            var bad = new AtomicInteger();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                threads.add(Thread.startVirtualThread(() -> {
                    for (int j = 0; j < 50; j++) {
                        String kid = number + "/" + j;
                        int status = gateway.status(
                                FIRST.token("{\"alg\":\"RS256\",\"kid\":\"" + kid + "\"}", claims("alice")));
                        if (status != 401) bad.incrementAndGet();
                    }
                }));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.status(FIRST.token(claims("user-" + i)))).isEqualTo(200);
            }
            for (Thread each : threads) each.join();

            assertThat(bad).hasValue(0);
            assertThat(provider.asked()).hasSize(1);
        }
    }

    @Test
    void keys_are_rotated_under_load_without_a_refused_request() throws Exception {
        try (GuardedGateway gateway = start("1s", "1h")) {
            assertThat(gateway.status(FIRST.token(claims("alice")))).isEqualTo(200);
            var newest = new CopyOnWriteArrayList<>(List.of(FIRST));
            var refused = new CopyOnWriteArrayList<Integer>();
            var done = new AtomicInteger();
            var over = new AtomicBoolean();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 100; i++) {
                int number = i;
                threads.add(Thread.startVirtualThread(() -> {
                    while (!over.get()) {
                        String token = newest.getLast().token(claims("user-" + number + '-' + done.get() % 7));
                        int status = gateway.status(token);
                        if (status != 200) refused.add(status);
                        done.incrementAndGet();
                    }
                }));
            }
            for (int i = 1; i < 4; i++) {
                int number = done.get() + 100;
                until(() -> done.get() >= number || !refused.isEmpty());
                int fetched = provider.asked().size();
                TokenSmith next = TokenSmith.of("RS256", "rotated-" + i);
                var keys = new ArrayList<>(newest);
                keys.add(next);
                provider.rotate(keys.toArray(TokenSmith[]::new));
                awaitSecond();
                newest.add(next);
                until(() -> provider.asked().size() > fetched || !refused.isEmpty());
            }
            over.set(true);
            for (Thread each : threads) each.join();

            assertThat(refused).isEmpty();
        }
    }

    @Test
    void a_hundred_callers_with_fresh_tokens_at_once_are_all_let_in() throws Exception {
        for (String algorithm : List.of("ES256", "ES384", "EdDSA")) { // by itself, by workers
            TokenSmith smith = TokenSmith.of(algorithm, "k");
            String policy = """
                    {"type": "jwt", "issuers": [{"name": "corp", "keys": {"keys": [%s]}, "audiences": [],
                        "algorithms": ["%s"]}]}""".formatted(smith.jwk(), algorithm);
            try (GuardedGateway gateway = GuardedGateway.start(data.resolve(algorithm), policy, Map.of())) {
                var statuses = new CopyOnWriteArrayList<Integer>();
                var start = new CountDownLatch(1);
                var callers = new ArrayList<Thread>();
                for (int i = 0; i < 100; i++) {
                    String token = smith.token(claims("user-" + i));
                    callers.add(Thread.startVirtualThread(() -> {
                        awaited(start);
                        statuses.add(gateway.status(token));
                    }));
                }
                start.countDown();
                for (Thread each : callers) each.join();

                assertThat(statuses).as(algorithm).hasSize(100).containsOnly(200);
            }
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// `refetch` has to be over: so often may keys change.
    private static void awaitSecond() {
        Instant end = Instant.now().plusMillis(1_200);
        until(() -> Instant.now().isAfter(end));
    }

    @Test
    void a_token_that_was_good_is_refused_once_its_key_is_withdrawn() {
        try (GuardedGateway gateway = start("1s", "1h")) {
            String remembered = FIRST.token(claims("alice"));
            assertThat(gateway.status(remembered)).isEqualTo(200);

            provider.rotate(SECOND);
            String other = SECOND.token(claims("alice"));
            until(() -> gateway.status(other) == 200); // fetched at most a second after the first

            assertThat(gateway.status(remembered)).isEqualTo(401);
        }
    }

    @Test
    void good_tokens_pass_while_the_provider_is_away_and_unknown_keys_are_503() {
        try (GuardedGateway gateway = start("1s", "1h")) {
            assertThat(gateway.status(FIRST.token(claims("alice")))).isEqualTo(200);
            for (Runnable breakage : breakages()) {
                provider.rotate(FIRST);
                until(() -> gateway.status(SECOND.token(claims("alice"))) == 401); // fetched well

                breakage.run();
                until503(gateway);

                assertThat(gateway.status(FIRST.token(claims("someone-else-" + breakage.hashCode()))))
                        .isEqualTo(200);
            }
            assertThat(gateway.arrived()).isNotEmpty();
        }
    }

    private List<Runnable> breakages() {
        return List.of(
                () -> provider.tell("text/html", "<html><body>login</body></html>"),
                () -> provider.tell("application/json", "{\"keys\": [" + "{},".repeat(9_999) + "{}]}"),
                () -> provider.tell("application/json", " ".repeat(10 << 20)),
                () -> provider.behave(exchange -> {
                    exchange.getResponseHeaders().set("Location", "http://169.254.169.254/latest/meta-data/");
                    exchange.sendResponseHeaders(302, -1);
                }),
                () -> provider.behave(exchange -> exchange.sendResponseHeaders(500, -1)),
                provider::trickle,
                provider::freeze,
                provider::kill);
    }

    /// Until a fetch has failed for a token that names a key which is not at hand.
    private static void until503(GuardedGateway gateway) {
        HttpResponse<String> answer;
        do {
            answer = gateway.call(SECOND.token(claims("alice")));
            assertThat(answer.statusCode()).isIn(401, 503); // 401 as long as the last fetch was good and a moment ago
        } while (answer.statusCode() != 503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(Json.parse(answer.body()).get("type").stringValue())
                .isEqualTo("urn:gateway:problem:dependency-unavailable");
        assertThat(answer.body()).doesNotContain("127.0.0.1");
    }

    @Test
    void without_any_keys_all_are_503_and_served_as_soon_as_there_are_some() {
        provider.kill();
        try (GuardedGateway gateway = start("1h", "1h")) {
            String good = FIRST.token(claims("alice"));
            for (int i = 0; i < 5; i++) assertThat(gateway.status(good)).isEqualTo(503);
            assertThat(gateway.status("x.y.z")).isEqualTo(401);

            provider.revive();

            Recovery.withinASecond(() -> gateway.status(good) == 200);
            assertThat(gateway.arrived()).hasSize(1);
        }
    }

    @Test
    void the_claims_of_a_caller_are_there_for_what_follows_and_for_limits() {
        String policies = policy("30s", "1h") + ", {\"type\": \"rate-limit\", \"requests\": 2, \"per\": \"1h\"},"
                + " {\"type\": \"headers\", \"request\": {\"set\": {\"X-Tenant\": \"{fact:/jwt/tenant}\"}}}";
        try (GuardedGateway gateway = GuardedGateway.start(data, policies, Map.of())) {
            String alice = claims("alice").replaceFirst("\\{", "{\"tenant\":\"gold\",");

            assertThat(gateway.status(FIRST.token(alice))).isEqualTo(200);
            assertThat(gateway.status(FIRST.token(alice.replace("gold", "lead"))))
                    .isEqualTo(200);
            assertThat(gateway.status(FIRST.token(alice))).isEqualTo(429);
            assertThat(gateway.status(FIRST.token(claims("bob")))).isEqualTo(200);
            assertThat(gateway.arrived().getFirst()).contains("gold");
        }
    }

    @Test
    void a_key_server_outside_of_the_allowed_networks_is_told_under_its_pointer() throws Exception {
        try (GuardedGateway gateway = start("30s", "1h")) {
            String definition = """
                    {"match": {"path": "/x"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                     "policies": [%s]}""".formatted(policy("30s", "1h").replace(provider.url(), "https://169.254.169.254"));

            HttpResponse<String> answer = gateway.admin().send("PUT", "/admin/v1/apis/x", definition);

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("/policies/0/issuers/0/jwks");
        }
    }

    @Test
    void keys_in_a_resource_are_in_force_at_once_when_it_changes_under_an_unchanged_api() throws Exception {
        String policy = """
                {"type": "jwt", "issuers": [{"name": "corp", "keys": {"resource": "corp.jwks"},
                                             "audiences": ["orders"], "algorithms": ["RS256", "ES256"]}]}""";
        Path keys = Files.createDirectories(data.resolve("resources")).resolve("corp.jwks");
        Files.writeString(keys, "{\"keys\": [" + FIRST.jwk() + "]}");
        try (GuardedGateway gateway = GuardedGateway.start(data, policy, Map.of())) {
            String first = FIRST.token(claims("alice"));
            String second = SECOND.token(claims("alice"));
            assertThat(List.of(gateway.status(first), gateway.status(second))).containsExactly(200, 401);

            HttpResponse<String> stored =
                    gateway.admin().send("PUT", "/admin/v1/resources/corp.jwks", "{\"keys\": [" + SECOND.jwk() + "]}");
            assertThat(stored.statusCode()).isEqualTo(200);
            assertThat(List.of(gateway.status(first), gateway.status(second))).containsExactly(401, 200);

            HttpResponse<String> refused =
                    gateway.admin().send("PUT", "/admin/v1/resources/corp.jwks", "{\"keys\": []}");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("/apis/orders/policies/0/issuers/0/keys");
            assertThat(gateway.status(second)).isEqualTo(200);
            HttpResponse<String> kept = gateway.admin().send("DELETE", "/admin/v1/resources/corp.jwks", "");
            assertThat(kept.statusCode()).isEqualTo(409);
        }
    }

    private GuardedGateway start(String refetch, String stale) {
        return GuardedGateway.start(data, policy(refetch, stale), Map.of());
    }

    private String policy(String refetch, String stale) {
        return """
                {"type": "jwt", "timeout": "500ms", "issuers": [
                    {"name": "corp", "jwks": "%s/keys", "audiences": ["orders"], "algorithms": ["RS256", "ES256"],
                     "refetch": "%s", "stale": "%s"}]}""".formatted(provider.url(), refetch, stale);
    }

    private static String claims(String subject) {
        long end = Instant.now().getEpochSecond() + 600;
        return "{\"iss\":\"https://id.example\",\"sub\":\"" + subject + "\",\"aud\":\"orders\",\"exp\":" + end + "}";
    }

    private static String text(String json) {
        return TokenSmith.text(json.getBytes(StandardCharsets.UTF_8));
    }
}
