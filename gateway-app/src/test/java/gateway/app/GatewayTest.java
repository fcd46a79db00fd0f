package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import gateway.app.settings.StartException;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole process over real sockets.
final class GatewayTest {
    private static final int CLIENTS = 8;
    private static final int WRITES = 60;

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;

    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        client.close();
        upstream.stop(0);
    }

    @Test
    void a_definition_and_a_key_serve_as_soon_as_they_are_answered() {
        try (Gateway gateway = start(Map.of())) {
            admin(gateway, "POST", "/apis", definition("orders", "[{\"type\": \"key-auth\"}]"), 201);
            String secret = secret(admin(gateway, "POST", "/keys", "{\"apis\": {\"orders\": {}}}", 201));

            assertThat(call(gateway, "/orders", secret)).isEqualTo(200);
            assertThat(call(gateway, "/orders", "wrong")).isEqualTo(401);
        }
    }

    @Test
    void what_was_stored_is_served_after_a_restart() {
        String secret;
        try (Gateway gateway = start(Map.of())) {
            admin(gateway, "POST", "/apis", definition("orders", "[{\"type\": \"key-auth\"}]"), 201);
            secret = secret(admin(gateway, "POST", "/keys", "{\"apis\": {\"orders\": {}}}", 201));
        }

        try (Gateway again = start(Map.of())) {
            assertThat(call(again, "/orders", secret)).isEqualTo(200);
        }
    }

    @Test
    void a_page_of_another_origin_may_ask_an_api_that_lists_its_methods() {
        try (Gateway gateway = start(Map.of())) {
            admin(gateway, "POST", "/apis", """
                {"id": "orders", "match": {"path": "/orders", "methods": ["PUT"]},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
                 "policies": [{"type": "cors", "allowedOrigins": ["https://app.example"], "allowedMethods": ["PUT"]}]}""".formatted(upstream.getAddress().getPort()), 201);

            HttpResponse<String> answer = send(HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/orders"))
                    .method("OPTIONS", BodyPublishers.noBody())
                    .header("Origin", "https://app.example")
                    .header("Access-Control-Request-Method", "PUT"));

            assertThat(answer.statusCode()).isEqualTo(204);
        }
    }

    @Test
    void usage_tells_what_requests_have_left_of_each_limit() {
        try (Gateway gateway = start(Map.of())) {
            admin(gateway, "POST", "/apis", definition("orders", """
                [{"type": "key-auth"}, {"type": "rate-limit", "requests": 10, "per": "1h"},
                 {"type": "quota", "requests": 100, "per": "30d"}]"""), 201);
            String secret =
                    secret(admin(gateway, "POST", "/keys", "{\"id\": \"k1\", \"apis\": {\"orders\": {}}}", 201));
            call(gateway, "/orders", secret);
            call(gateway, "/orders", secret);

            var limits =
                    Json.parse(admin(gateway, "GET", "/keys/k1/usage", "", 200)).get("limits");

            assertThat(limits.valueStream()
                            .map(l -> l.get("policy").stringValue() + " "
                                    + l.get("remaining").asString()))
                    .containsExactly("rate-limit 8", "quota 98");
        }
    }

    @Test
    void the_data_plane_has_no_admin_paths() {
        try (Gateway gateway = start(Map.of())) {
            for (String path : List.of("/admin/v1/apis", "/health/live", "/metrics", "/hello")) {
                assertThat(call(gateway, path, gateway.adminToken().reveal()))
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void a_token_nobody_set_is_written_for_its_owner_alone() throws IOException {
        try (Gateway gateway = start(Map.of())) {
            Path file = data.resolve("admin-token");

            assertThat(Files.readString(file).strip())
                    .isEqualTo(gateway.adminToken().reveal())
                    .hasSize(64);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void metrics_tell_requests_by_api_and_status_the_revision_and_the_jvm() {
        try (Gateway gateway = start(Map.of())) {
            admin(gateway, "POST", "/apis", definition("orders", "[]"), 201);
            call(gateway, "/unknown", ""); // counted when the next request of its connection is
            call(gateway, "/orders", "");
            call(gateway, "/orders", "");

            String metrics = send(HttpRequest.newBuilder(URI.create(
                            "http://127.0.0.1:" + gateway.adminAddress().getPort() + "/metrics")))
                    .body();

            assertThat(metrics)
                    .contains("gateway_requests_total{api=\"none\",status=\"4xx\"} 1.0")
                    .containsPattern("gateway_requests_total\\{api=\"orders\",status=\"2xx\"} [12]\\.0")
                    .contains("gateway_requests_in_flight")
                    .contains("gateway_revision 1.0")
                    .contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void an_address_that_is_taken_is_named_with_its_setting() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            assertThatThrownBy(() -> start(Map.of("GATEWAY_LISTEN", address)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("GATEWAY_LISTEN");
            assertThatThrownBy(() -> start(Map.of("GATEWAY_ADMIN_LISTEN", address)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("GATEWAY_ADMIN_LISTEN");
        }
    }

    @Test
    void a_redis_that_is_away_is_named_without_its_password() {
        assertThatThrownBy(() -> start(Map.of("GATEWAY_STORE", "redis://alice:hunter2@127.0.0.1:1")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageContaining("GATEWAY_STORE")
                .message()
                .doesNotContain("hunter2");
    }

    @Test
    void two_gateways_do_not_share_a_data_folder_and_a_failed_start_leaves_nothing_behind() {
        try (Gateway first = start(Map.of())) {
            assertThatThrownBy(() -> start(Map.of())).isInstanceOf(StartException.class);
            assertThat(call(first, "/x", "")).isEqualTo(404);
        }

        try (Gateway second = start(Map.of())) {
            assertThat(call(second, "/x", "")).isEqualTo(404);
        }
    }

    @Test
    void reloads_and_writes_under_load_fail_no_request_and_forget_no_count() throws Exception {
        try (Gateway gateway = start(Map.of());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String policies =
                    "[{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": 1000000, \"per\": \"30d\"}]";
            admin(gateway, "POST", "/apis", definition("orders", policies), 201);
            String secret =
                    secret(admin(gateway, "POST", "/keys", "{\"id\": \"k1\", \"apis\": {\"orders\": {}}}", 201));
            var done = new AtomicBoolean();
            Callable<Integer> load = () -> {
                int sent = 0;
                for (; !done.get(); sent++)
                    assertThat(call(gateway, "/orders", secret)).isEqualTo(200);
                return sent;
            };
            var loads = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) loads.add(threads.submit(load));

            for (int i = 0; i < WRITES; i++) {
                admin(gateway, "PUT", "/apis/other" + i % 5, definition("other" + i % 5, "[]"), i < 5 ? 201 : 200);
                admin(gateway, "PUT", "/apis/orders", definition("orders", policies, "n" + i), 200);
                admin(gateway, "POST", "/reload", "", 200);
            }
            done.set(true);

            int sent = 0;
            for (var each : loads) sent += each.get();
            var usage = Json.parse(admin(gateway, "GET", "/keys/k1/usage", "", 200));
            assertThat(sent).isPositive();
            assertThat(usage.at("/limits/0/remaining").asLong()).isEqualTo(1_000_000 - sent);
        }
    }

    private Gateway start(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "2s"));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private String definition(String id, String policies) {
        return definition(id, policies, id);
    }

    private String definition(String id, String policies, String name) {
        return """
            {"id": "%s", "name": "%s", "match": {"path": "/%s"}, "policies": %s,
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, name, id, policies, upstream.getAddress().getPort());
    }

    private String admin(Gateway gateway, String method, String path, String body, int status) {
        HttpResponse<String> response = send(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1" + path))
                .header("Authorization", "Bearer " + gateway.adminToken().reveal())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return response.body();
    }

    private int call(Gateway gateway, String path, String credential) {
        return send(HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + path))
                        .header("Authorization", "Bearer " + credential))
                .statusCode();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String secret(String issued) {
        return Json.parse(issued).get("secret").stringValue();
    }
}
