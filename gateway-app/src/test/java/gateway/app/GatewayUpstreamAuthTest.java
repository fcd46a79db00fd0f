package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What upstreams are shown by whole gateways, and what becomes of it while the server that gives tokens is away.
@Timeout(90)
final class GatewayUpstreamAuthTest {
    private static final String SECRET = "upstream-secret-4f9c1e";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private volatile String taken = "Bearer t1";
    private volatile int lifeSeconds = 60;
    private HttpServer upstream;
    private HttpServer tokens;

    @BeforeEach
    void start() throws IOException {
        upstream = server(0);
        upstream.createContext("/", exchange -> {
            String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            seen.add(shown);
            answer(exchange, shown.equals(taken) || taken.isEmpty() ? 200 : 401, "hello");
        });
        tokens = tokens(0);
    }

    private HttpServer tokens(int port) throws IOException {
        HttpServer server = server(port);
        server.createContext("/token", exchange -> {
            byte[] form = exchange.getRequestBody().readAllBytes();
            asked.add(new String(form, StandardCharsets.US_ASCII));
            answer(
                    exchange,
                    200,
                    "{\"access_token\": \"t%d\", \"token_type\": \"bearer\", \"expires_in\": %d}"
                            .formatted(asked.size(), lifeSeconds));
        });
        return server;
    }

    private static HttpServer server(int port) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
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
        client.close();
        upstream.stop(0);
        tokens.stop(0);
    }

    @Test
    void one_token_serves_all_requests_of_two_apis_and_no_client_shows_one_of_its_own() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", oauth2(""));
            define(admin, "items", oauth2(""));

            for (int i = 0; i < 5; i++) {
                assertThat(call(gateway, "/orders", "Bearer mine").statusCode()).isEqualTo(200);
                assertThat(call(gateway, "/items", "Basic bWluZQ==").statusCode())
                        .isEqualTo(200);
            }

            assertThat(asked).containsExactly("grant_type=client_credentials");
            assertThat(seen).hasSize(10).containsOnly("Bearer t1");
        }
    }

    @Test
    void a_token_that_was_withdrawn_costs_no_client_its_answer() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", oauth2(""));
            assertThat(call(gateway, "/orders", "").statusCode()).isEqualTo(200);

            taken = "Bearer t2";

            for (int i = 0; i < 3; i++)
                assertThat(call(gateway, "/orders", "").statusCode()).isEqualTo(200);
            assertThat(seen).containsExactly("Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2", "Bearer t2");
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void an_upstream_that_takes_no_token_gets_two_and_its_answer_is_the_clients() throws Exception {
        taken = "none";
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", oauth2(""));

            for (int i = 0; i < 10; i++)
                assertThat(call(gateway, "/orders", "").statusCode()).isEqualTo(401);

            assertThat(asked).hasSize(2);
            assertThat(seen).hasSize(11);
        }
    }

    @Test
    void a_server_that_gives_no_token_is_told_as_an_outage_and_found_again_as_soon_as_it_is_back() throws Exception {
        taken = "";
        int port = tokens.getAddress().getPort();
        tokens.stop(0);
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", oauth2(""));

            HttpResponse<String> refused = call(gateway, "/orders", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("dependency-unavailable").doesNotContain(Integer.toString(port));
            assertThat(seen).isEmpty();

            tokens = tokens(port);
            untilServed(gateway);
            assertThat(seen.getFirst()).startsWith("Bearer t");
        }
    }

    @Test
    void a_mock_and_a_refused_request_cost_no_token_and_explain_names_the_call_without_making_it() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "mocked", oauth2("") + ", {\"type\": \"mock-response\", \"status\": 204}");
            define(admin, "refused", oauth2("") + ", {\"type\": \"key-auth\"}");
            define(admin, "orders", oauth2(""));

            assertThat(call(gateway, "/mocked", "").statusCode()).isEqualTo(204);
            assertThat(call(gateway, "/refused", "").statusCode()).isEqualTo(401);
            assertThat(admin.call("POST", "/explain", "{\"path\": \"/orders\"}").toString())
                    .contains("\"step\":\"upstream-auth\"", "\"stage\":\"upstream\"", "it calls http://127.0.0.1");

            assertThat(asked).isEmpty();
        }
    }

    @Test
    void a_secret_that_changes_is_shown_at_once_and_stands_in_no_definition() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            define(admin, "orders", "{\"type\": \"upstream-auth\", \"bearer\": {\"token\": {\"secret\": \"client\"}}}");
            taken = "Bearer " + SECRET;
            assertThat(call(gateway, "/orders", "").statusCode()).isEqualTo(200);

            admin.call("PUT", "/secrets/client", "{\"value\": \"rotated\"}");
            taken = "Bearer rotated";

            assertThat(call(gateway, "/orders", "").statusCode()).isEqualTo(200);
            assertThat(admin.call("GET", "/apis/orders", "").toString()).doesNotContain(SECRET, "rotated");
        }
    }

    @Test
    void a_token_endpoint_that_may_not_be_called_is_told_under_its_own_field() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = admin(gateway)) {
            for (String grant : List.of("client-credentials", "token-exchange")) {
                HttpResponse<String> refused = admin.send("PUT", "/admin/v1/apis/orders", """
                        {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                         "policies": [{"type": "upstream-auth", "oauth2": {"tokenUrl": "https://169.254.169.254/token",
                          "grant": "%s", "client": {"id": "gw", "secret": {"secret": "client"}}}}]}""".formatted(grant));

                assertThat(refused.statusCode()).isEqualTo(422);
                assertThat(Json.parse(refused.body()).at("/errors/0/pointer").stringValue())
                        .isEqualTo("/policies/0/oauth2/tokenUrl");
            }
        }
    }

    private String oauth2(String more) {
        return """
                {"type": "upstream-auth", "oauth2": {"tokenUrl": "http://127.0.0.1:%d/token",
                 "client": {"id": "gw", "secret": {"secret": "client"}}%s}}""".formatted(tokens.getAddress().getPort(), more);
    }

    private void define(AdminClient admin, String id, String policies) throws Exception {
        admin.call("PUT", "/apis/" + id, """
                {"match": {"path": "/%s"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        id, policies, upstream.getAddress().getPort()));
    }

    private Gateway gateway() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString())));
    }

    private static AdminClient admin(Gateway gateway) throws Exception {
        var admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
        admin.call("PUT", "/secrets/client", "{\"value\": \"" + SECRET + "\"}");
        return admin;
    }

    private HttpResponse<String> call(Gateway gateway, String path, String authorization) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        var request = HttpRequest.newBuilder(uri).method("GET", BodyPublishers.noBody());
        if (!authorization.isEmpty()) request.header("Authorization", authorization);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private void untilServed(Gateway gateway) throws Exception {
        until(() -> call(gateway, "/orders", "").statusCode() == 200);
    }
}
