package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A policy that calls a server, on a whole gateway.
@Timeout(90)
final class GatewayCallsTest {
    @TempDir
    private Path data;

    @TempDir
    private Path policies;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] said = "allowed".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, said.length);
            exchange.getResponseBody().write(said);
            exchange.close();
        });
        server.createContext("/silent", exchange -> {
            asked.countDown();
            try (exchange) {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        client.close();
        server.stop(0);
    }

    @Test
    void asks_the_server_and_counts_the_call() throws Exception {
        define(url(), "", 9);
        try (Gateway gateway = gateway(Map.of())) {
            HttpResponse<String> answer = call(gateway);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("allowed");
            assertThat(admin(gateway, "/metrics"))
                    .contains("gateway_calls_total{result=\"2xx\",server=\"" + url() + "\"} 1.0");
        }
    }

    @Test
    void a_server_that_is_away_refuses_and_is_told_by_readiness() throws Exception {
        String away = url();
        define(away, "", 9);
        server.stop(0);
        try (Gateway gateway = gateway(Map.of())) {
            for (int i = 0; i < 10; i++) assertThat(call(gateway).statusCode()).isEqualTo(503);

            JsonNode ready = Json.parse(admin(gateway, "/health/ready"));

            assertThat(ready.get("status").stringValue()).isEqualTo("degraded");
            assertThat(ready.get("servers").get(away).get("policies")).isEqualTo(Json.parse("[\"orders/ask-server\"]"));
            assertThat(admin(gateway, "/metrics"))
                    .contains("gateway_calls_breaker{server=\"" + away + "\"} 2.0")
                    .contains("gateway_refusals_total{api=\"orders\",reason=\"dependency-unavailable\"} 10.0");
        }
    }

    @Test
    void a_policy_that_may_goes_on_without_its_server() throws Exception {
        define(
                "http://127.0.0.1:9",
                ", \"onOutage\": \"allow\"",
                server.getAddress().getPort());
        try (Gateway gateway = gateway(Map.of())) {
            assertThat(call(gateway).body()).isEqualTo("allowed"); // by the upstream, which this server is too
        }
    }

    @Test
    void a_request_that_waits_for_a_call_is_answered_when_the_gateway_stops() throws Exception {
        define(url() + "/silent", "", 9);
        Gateway gateway = gateway(Map.of("GATEWAY_DRAIN_TIMEOUT", "100ms"));
        var answer = client.sendAsync(request(gateway), BodyHandlers.ofString());
        asked.await();

        gateway.close();

        assertThat(answer.get().statusCode()).isEqualTo(503);
    }

    @Test
    void an_address_outside_of_the_allowed_networks_leaves_the_api_out_under_its_pointer() throws Exception {
        define(url(), "", 9);
        Files.writeString(
                data.resolve("apis/orders.json"),
                Files.readString(data.resolve("apis/orders.json")).replace("127.0.0.1:9", "10.0.0.1:9"));
        try (Gateway gateway = gateway(Map.of("GATEWAY_ALLOWED_NETWORKS", "10.0.0.0/8"))) {
            assertThat(call(gateway).statusCode()).isEqualTo(503);
            assertThat(admin(gateway, "/admin/v1/snapshot")).contains("/apis/orders/policies/0/server/url");
        }
    }

    private void define(String called, String more, int upstream) throws IOException {
        Path folder = Files.createDirectories(data.resolve("apis"));
        Files.writeString(folder.resolve("orders.json"), """
                {"id": "orders", "match": {"path": "/"},
                 "policies": [{"type": "ask-server", "server": {"url": "%s"}%s}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(called, more, upstream));
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private Gateway gateway(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(settings);
        return AskServer.known(policies, () -> Gateway.start(Settings.read(Optional.empty(), environment)));
    }

    private static HttpRequest request(Gateway gateway) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/"))
                .build();
    }

    private HttpResponse<String> call(Gateway gateway) throws Exception {
        return client.send(request(gateway), BodyHandlers.ofString());
    }

    private String admin(Gateway gateway, String path) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + path);
        var request = HttpRequest.newBuilder(page)
                .header("Authorization", "Bearer " + gateway.adminToken().reveal());
        return client.send(request.build(), BodyHandlers.ofString()).body();
    }
}
