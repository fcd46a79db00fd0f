package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.json.Json;
import gateway.policies.cryptography.TokenSmith;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that whole gateways show upstreams: exchanged for callers' own, signed by themselves, and none at all while
/// the server that gives them is away.
@Timeout(120)
final class GatewayUpstreamTokensTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TokenSmith smith = TokenSmith.of("RS256", "k1");
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile int tokenStatus = 200;
    private volatile String withdrawn = "";
    private HttpServer upstream;
    private HttpServer tokens;
    private Gateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws Exception {
        upstream = server();
        upstream.createContext("/", exchange -> {
            String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            seen.add(shown);
            answer(exchange, shown.equals(withdrawn) ? 401 : 200, "hello");
        });
        tokens = server();
        tokens.createContext("/token", exchange -> {
            int number = asked.incrementAndGet();
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            String subject = form.replaceFirst(".*subject_token=([^&]*).*", "$1");
            String about = subject.equals(form) ? "gateway" : subject(subject);
            answer(exchange, tokenStatus, "{\"access_token\": \"%s-%d\", \"expires_in\": 2}".formatted(about, number));
        });
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString())));
        admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
        admin.call("PUT", "/secrets/client", "{\"value\": \"hush\"}");
    }

    private static HttpServer server() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    private static String subject(String token) {
        String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
        return Json.parse(claims).get("sub").stringValue();
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    @AfterEach
    void stop() {
        admin.close();
        gateway.close();
        client.close();
        upstream.stop(0);
        tokens.stop(0);
    }

    @Test
    void a_hundred_callers_at_once_are_each_shown_by_a_token_of_their_own() throws Exception {
        define(jwt(), oauth2(", \"grant\": \"token-exchange\""));
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String token = token("caller" + i % 20);
            calls.add(() -> call(token));
        }

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(calls)) assertThat(each.get()).isEqualTo(200);
        }

        assertThat(seen).hasSize(100);
        for (int i = 0; i < 20; i++) {
            String own = "Bearer caller" + i + "-";
            assertThat(seen.stream().filter(each -> each.startsWith(own))).hasSize(5);
        }
    }

    @Test
    void an_exchanged_token_that_was_withdrawn_costs_its_caller_no_answer_and_made_up_ones_cost_no_call()
            throws Exception {
        define(jwt(), oauth2(", \"grant\": \"token-exchange\""));
        String alice = token("alice");
        assertThat(call(alice)).isEqualTo(200);
        withdrawn = seen.getFirst();

        assertThat(call(alice)).isEqualTo(200);

        assertThat(seen).containsExactly("Bearer alice-1", "Bearer alice-1", "Bearer alice-2");
        assertThat(call(TokenSmith.of("RS256", "k1").token("{\"sub\": \"alice\"}")))
                .isEqualTo(401);
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_token_of_the_gateways_own_is_verified_by_the_key_set_that_it_shows() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        var pem = Base64.getMimeEncoder();
        String key = "-----BEGIN PRIVATE KEY-----\n"
                + pem.encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n-----BEGIN PUBLIC KEY-----\n"
                + pem.encodeToString(pair.getPublic().getEncoded()) + "\n-----END PUBLIC KEY-----\n";
        var secret = Json.mapper().createObjectNode().put("value", key);
        admin.call("PUT", "/secrets/own", Json.compact(secret));
        define(jwt(), """
                {"type": "upstream-auth", "jwt": {"key": {"secret": "own"}, "algorithm": "EdDSA", "keyId": "k7", "issuer": "gw"}}""");

        assertThat(call(token("alice"))).isEqualTo(200);
        assertThat(call(token("alice"))).isEqualTo(200);

        assertThat(seen.getFirst()).isEqualTo(seen.getLast());
        String[] parts = seen.getFirst().substring("Bearer ".length()).split("\\.", -1);
        Signature check = Signature.getInstance("Ed25519");
        check.initVerify(pair.getPublic());
        check.update((parts[0] + '.' + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(check.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        assertThat(subject(seen.getFirst())).endsWith("alice");
        HttpResponse<String> set = client.send(
                HttpRequest.newBuilder(admin.base().resolve("/.well-known/jwks.json"))
                        .build(),
                BodyHandlers.ofString());
        var published = Json.parse(set.body()).get("keys").get(0);
        assertThat(published.get("kid").stringValue()).isEqualTo("k7");
        assertThat(published.has("d")).isFalse();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] x = Base64.getUrlDecoder().decode(published.get("x").stringValue());
        assertThat(x).isEqualTo(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));

        admin.delete("/apis/orders");

        assertThat(admin.get("/.well-known/jwks.json").body()).isEqualTo("{\"keys\":[]}");
    }

    /// Attack 42: the token endpoint is away while tokens expire, under many requests.
    @Test
    void while_the_token_server_is_away_and_tokens_end_it_is_asked_once_a_step_and_found_again() throws Exception {
        define("", oauth2(""));
        assertThat(call("")).isEqualTo(200);
        tokenStatus = 500;
        until(() -> call("") == 503);
        int before = asked.get();
        long begun = System.nanoTime();

        Callable<Void> many = () -> {
            for (int i = 0; i < 200; i++) {
                HttpResponse<String> answer = send("");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
            return null;
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(50, many))) each.get();
        }

        long millis = (System.nanoTime() - begun) / 1_000_000;
        assertThat(asked.get() - before).isLessThan((int) (millis / 50) + 5); // the shortest step is 50 ms
        tokenStatus = 200;
        until(() -> call("") == 200);
    }

    @Test
    void
            a_token_at_hand_goes_on_while_the_server_is_killed_frozen_or_tells_rubbish_and_new_ones_within_a_second_after_it()
                    throws Exception {
        try (IdentityProvider server = IdentityProvider.start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String good = "{\"access_token\": \"at\", \"expires_in\": 3600}";
            List<Runnable> breakages = List.of(
                    server::kill,
                    server::freeze,
                    server::trickle,
                    () -> server.tell("text/html", "<html><body>login</body></html>"),
                    () -> server.tell("application/json", "{\"access_token\": \"a\\r\\nb\", \"expires_in\": 3600}"));
            for (int i = 0; i < breakages.size(); i++) {
                server.tell("application/json", good);
                defineBy(server, "held-" + i);
                assertThat(call("")).isEqualTo(200);

                breakages.get(i).run();

                Callable<Integer> one = () -> call("");
                for (var each : threads.invokeAll(Collections.nCopies(100, one))) {
                    assertThat(each.get()).isEqualTo(200);
                }
                defineBy(server, "none-" + i);
                assertThat(call("")).isEqualTo(503);
                server.tell("application/json", good);
                if (i == 0) server.revive();
                Recovery.withinASecond(() -> call("") == 200);
            }
            assertThat(seen).containsOnly("Bearer at");
        }
    }

    /// With tokens of their own for each scope.
    private void defineBy(IdentityProvider server, String scope) throws Exception {
        define("", """
                {"type": "upstream-auth", "oauth2": {"tokenUrl": "%s/token", "scopes": ["%s"], "timeout": "500ms",
                 "client": {"id": "gw", "secret": {"secret": "client"}}}}""".formatted(server.url(), scope));
    }

    private String jwt() {
        String pem = Json.compact(Json.mapper().getNodeFactory().stringNode(smith.pem()));
        return "{\"type\": \"jwt\", \"forwardCredential\": true, \"issuers\": [{\"name\": \"corp\", \"issuer\": \"https://id.example.com\","
                + " \"audiences\": [\"orders\"], \"algorithms\": [\"RS256\"], \"pem\": " + pem + "}]},";
    }

    private String oauth2(String more) {
        return """
                {"type": "upstream-auth", "oauth2": {"tokenUrl": "http://127.0.0.1:%d/token",
                 "client": {"id": "gw", "secret": {"secret": "client"}}%s}}""".formatted(tokens.getAddress().getPort(), more);
    }

    private String token(String subject) {
        long now = Instant.now().getEpochSecond();
        return smith.token("{\"iss\": \"https://id.example.com\", \"aud\": \"orders\", \"sub\": \"%s\", \"exp\": %d}"
                .formatted(subject, now + 600));
    }

    private void define(String first, String second) throws Exception {
        admin.call("PUT", "/apis/orders", """
                {"match": {"path": "/orders"}, "policies": [%s%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        first, second, upstream.getAddress().getPort()));
    }

    private int call(String token) throws IOException, InterruptedException {
        return send(token).statusCode();
    }

    private HttpResponse<String> send(String token) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/orders");
        var request = HttpRequest.newBuilder(uri);
        if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
