package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.sun.net.httpserver.HttpExchange;
import gateway.policies.cryptography.TokenSmith;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that a server judges, on a whole gateway: attack 27, and a server that breaks in every way.
@Timeout(120)
final class GatewayIntrospectionTest {
    private static final String GOOD = "good-token";

    @TempDir
    private Path data;

    private final IdentityProvider provider = IdentityProvider.start();
    private final List<String> forms = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        judge();
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    /// From now on the server knows [#GOOD], and `other-audience`.
    private void judge() {
        provider.behave(exchange -> {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            forms.add(exchange.getRequestHeaders().getFirst("Authorization") + ' ' + form);
            String token = form.replaceFirst("^token=([^&]*).*", "$1");
            answer(
                    exchange,
                    switch (token) {
                        case GOOD -> "{\"active\": true, \"sub\": \"alice\", \"aud\": \"orders\"}";
                        case "other-audience" -> "{\"active\": true, \"sub\": \"alice\", \"aud\": \"billing\"}";
                        default -> "{\"active\": false}";
                    });
        });
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    @Test
    void asks_once_for_each_token_and_lets_active_ones_of_its_audience_pass_without_them() {
        try (GuardedGateway gateway = start("\"1h\"", "\"0s\"")) {
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.status(GOOD)).isEqualTo(200);
                assertThat(gateway.status("other-audience")).isEqualTo(401);
                assertThat(gateway.status("made-up")).isEqualTo(401);
            }
            assertThat(gateway.arrived())
                    .hasSize(3)
                    .allSatisfy(headers -> assertThat(headers).doesNotContain(GOOD));
            assertThat(forms)
                    .containsExactly(
                            "Basic Z2F0ZXdheTpzM2NyZXQ= token=good-token",
                            "Basic Z2F0ZXdheTpzM2NyZXQ= token=other-audience",
                            "Basic Z2F0ZXdheTpzM2NyZXQ= token=made-up");
        }
    }

    @Test
    void what_the_server_says_of_tokens_takes_no_more_memory_than_is_given_to_it() {
        String groups = ", \"groups\": [\"" + "g".repeat(900_000) + "\"]}";
        provider.behave(exchange -> {
            forms.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, "{\"active\": true, \"sub\": \"alice\", \"aud\": \"orders\"" + groups);
        });
        try (GuardedGateway gateway = start("\"1h\"", "\"0s\"")) {
            for (int i = 0; i < 80; i++)
                assertThat(gateway.status("token-" + i % 40)).isEqualTo(200);

            assertThat(forms).hasSizeGreaterThan(60); // 16 MiB hold fewer than 20 of them
        }
    }

    @Test
    void a_client_that_signs_says_whom_its_assertion_is_for() throws Exception {
        assertThat(audience("")).isEqualTo(provider.url() + "/introspect");
        assertThat(audience(", \"audience\": \"https://id.example\"")).isEqualTo("https://id.example");
    }

    /// `aud` of the assertion that the server gets.
    ///
    /// @param more fields of the client
    private String audience(String more) throws Exception {
        TokenSmith smith = TokenSmith.of("ES256", "gateway-1");
        String policy = """
                {"type": "oauth2-introspection", "url": "%s/introspect", "audiences": ["orders"], "timeout": "5s",
                 "client": {"id": "gateway", "method": "private-key-jwt", "key": {"env": "GATEWAY_SECRET_KEY"}%s}}""".formatted(provider.url(), more);
        forms.clear();
        try (GuardedGateway gateway =
                GuardedGateway.start(data, policy, Map.of("GATEWAY_SECRET_KEY", smith.pairPem()))) {
            assertThat(gateway.status(GOOD)).isEqualTo(200);
        }
        assertThat(forms).hasSize(1);
        assertThat(forms.getFirst()).startsWith("null ").contains("&client_id=gateway&");
        JWSObject assertion = JWSObject.parse(forms.getFirst().replaceFirst(".*&client_assertion=([^&]*).*", "$1"));
        assertThat(assertion.verify(new ECDSAVerifier((ECPublicKey) smith.publicKey())))
                .isTrue();
        return String.valueOf(assertion.getPayload().toJSONObject().get("aud"));
    }

    @Test
    void a_hundred_requests_with_a_new_token_make_one_question() throws Exception {
        try (GuardedGateway gateway = start("\"1h\"", "\"0s\"")) {
            var statuses = new CopyOnWriteArrayList<Integer>();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 100; i++) {
                threads.add(Thread.startVirtualThread(() -> statuses.add(gateway.status(GOOD))));
            }
            for (Thread each : threads) each.join();

            assertThat(statuses).hasSize(100).containsOnly(200);
            assertThat(forms).hasSize(1);
        }
    }

    @Test
    void whatever_breaks_is_503_and_over_as_soon_as_the_server_is_back() {
        try (GuardedGateway gateway = start("\"0s\"", "\"0s\"")) {
            for (Runnable breakage : breakages()) {
                judge();
                until(() -> gateway.status(GOOD) == 200);

                breakage.run();
                HttpResponse<String> answer = gateway.call(GOOD);

                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                assertThat(answer.body()).contains("dependency-unavailable").doesNotContain("127.0.0.1", GOOD);
            }
        }
    }

    @Test
    void a_server_that_was_killed_or_frozen_under_load_is_asked_again_within_a_second() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                GuardedGateway gateway = start("\"0s\"", "\"0s\"")) {
            assertThat(gateway.status(GOOD)).isEqualTo(200);

            provider.kill();
            for (int i = 0; i < 40; i++) assertThat(gateway.status(GOOD)).isEqualTo(503);
            provider.revive();
            Recovery.withinASecond(() -> gateway.status(GOOD) == 200);

            provider.freeze();
            Callable<Integer> call = () -> gateway.status(GOOD);
            for (Future<Integer> each : callers.invokeAll(Collections.nCopies(20, call))) {
                assertThat(each.get()).isEqualTo(503);
            }
            judge();
            Recovery.withinASecond(() -> gateway.status(GOOD) == 200);
        }
    }

    private List<Runnable> breakages() {
        return List.of(
                () -> provider.tell("text/html", "<html><body>login</body></html>"),
                () -> provider.tell("application/json", "{\"active\": \"true\", \"aud\": \"orders\", \"sub\": \"a\"}"),
                () -> provider.tell(
                        "application/json",
                        "{\"active\": false, \"active\": true, \"aud\": \"orders\", \"sub\": \"a\"}"),
                () -> provider.tell("application/json", " ".repeat(10 << 20)),
                () -> provider.behave(exchange -> {
                    exchange.getResponseHeaders().set("Location", "http://169.254.169.254/latest/meta-data/");
                    exchange.sendResponseHeaders(302, -1);
                }),
                () -> provider.behave(exchange -> exchange.sendResponseHeaders(401, -1)),
                provider::trickle,
                provider::freeze);
    }

    @Test
    void a_token_that_was_active_goes_on_while_the_server_is_away_where_that_is_said() {
        try (GuardedGateway gateway = start("\"0s\"", "\"1h\"")) {
            assertThat(gateway.status(GOOD)).isEqualTo(200);

            provider.kill();

            assertThat(gateway.status(GOOD)).isEqualTo(200);
            assertThat(gateway.status("another")).isEqualTo(503);
        }
    }

    private GuardedGateway start(String cacheFor, String stale) {
        return GuardedGateway.start(
                data, """
                {"type": "oauth2-introspection", "url": "%s/introspect", "audiences": ["orders"], "timeout": "500ms",
                 "client": {"id": "gateway", "secret": {"env": "GATEWAY_SECRET_INTROSPECTION"}},
                 "cacheFor": %s, "stale": %s, "negativeCacheFor": "1m"}""".formatted(provider.url(), cacheFor, stale), Map.of("GATEWAY_SECRET_INTROSPECTION", "s3cret"));
    }
}
