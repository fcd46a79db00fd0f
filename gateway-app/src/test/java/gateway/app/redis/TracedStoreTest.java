package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.trace.SpanReceiver;
import gateway.app.trace.SpanReceiver.Received;
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
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Policies that ask Redis have spans of their own.
final class TracedStoreTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;
    private RedisProcess redis;
    private SpanReceiver collector;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        collector = new SpanReceiver();
        redis = RedisProcess.start();
    }

    @AfterEach
    void stop() {
        client.close();
        collector.close();
        redis.close();
        upstream.stop(0);
    }

    @Test
    void each_policy_that_calls_out_has_its_span_below_the_request_and_says_when_the_store_is_away() throws Exception {
        try (Gateway gateway = gateway()) {
            String key = prepare(gateway);
            assertThat(call(gateway, key)).isEqualTo(200);
            redis.kill();
            until(() -> call(gateway, key + "x") == 503);
        }

        Received answered = collector.named("GET /orders").stream()
                .filter(span ->
                        span.attributes().get("http.response.status_code").equals("200"))
                .findFirst()
                .orElseThrow();
        assertThat(collector.spans())
                .filteredOn(span -> span.parent().equals(answered.id()))
                .extracting(Received::name)
                .containsExactlyInAnyOrder("policy key-auth", "policy rate-limit, quota", "GET");
        assertThat(collector.named("policy key-auth")).anySatisfy(span -> {
            assertThat(span.error()).isTrue();
            assertThat(span.attributes())
                    .containsEntry("error.type", "redis")
                    .containsEntry("gateway.policy", "key-auth");
        });
    }

    private String prepare(Gateway gateway) {
        admin(gateway, "PUT", "/apis/orders", """
            {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
             "policies": [{"type": "key-auth"}, {"type": "rate-limit", "requests": 100, "per": "1s"},
                          {"type": "quota", "requests": 1000, "per": "1d"}]}""".formatted(
                        upstream.getAddress().getPort()));
        return Json.parse(admin(gateway, "POST", "/keys", "{\"apis\": {\"orders\": {}}}"))
                .get("secret")
                .stringValue();
    }

    private Gateway gateway() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s",
                        "GATEWAY_REDIS_DEADLINE", "1s",
                        "GATEWAY_STORE", "redis://127.0.0.1:" + redis.port(),
                        "GATEWAY_TRACING_ENDPOINT", collector.endpoint(),
                        "GATEWAY_TRACING_RATIO", "1")));
    }

    private String admin(Gateway gateway, String method, String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1" + path))
                        .header(
                                "Authorization",
                                "Bearer " + gateway.adminToken().reveal())
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body)))
                .body();
    }

    private int call(Gateway gateway, String key) {
        return send(HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + "/orders"))
                        .header("Authorization", "Bearer " + key))
                .statusCode();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
