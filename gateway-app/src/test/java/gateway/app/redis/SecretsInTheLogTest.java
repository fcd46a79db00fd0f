package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import gateway.app.FreePort;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.log.CapturedLog;
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
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every credential there is, through paths that work and paths that fail, with our packages logging all they can.
final class SecretsInTheLogTest {
    private static final String TOKEN = "admin-4f9c1e7b2a6d8350-4f9c1e7b2a6d8350";
    private static final String REDIS = "redis-7d1b93e05c";
    private static final String ELASTIC = "elastic-60ae8f21d4";
    private static final String WRONG_KEY = "wrongkey-91c5d7e3ab";
    private static final String PASSWORD = "caller-2e8d40b6f7";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> secrets = new ArrayList<>();
    private HttpServer server;
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) { // serves as upstream, and as an Elasticsearch that lets nobody in
                boolean upstream = exchange.getRequestURI().getPath().startsWith("/orders");
                exchange.sendResponseHeaders(upstream ? 200 : 401, -1);
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        redis = RedisProcess.start("--requirepass", REDIS);
        secrets.addAll(List.of(TOKEN, REDIS, ELASTIC, WRONG_KEY, PASSWORD, base64("elastic:" + ELASTIC)));
        secrets.add(base64("alice:" + PASSWORD));
    }

    @AfterEach
    void stop() {
        client.close();
        redis.close();
        server.stop(0);
    }

    @Test
    void no_secret_is_ever_logged() {
        try (var log = new CapturedLog()) {
            Throwable refused = catchThrowable(() -> gateway(REDIS + "x").close());
            try (Gateway gateway = gateway(REDIS)) {
                requests(gateway);
                redis.kill();
                requestsWithoutStore(gateway, log);
            }

            assertThat(refused).isNotNull();
            assertThat(log.text())
                    .contains(
                            "admin plane", "refused with 502 upstream-refused", "gateway.api=refusing", "redis is away")
                    .doesNotContain(secrets);
            assertThat(refused.toString()).doesNotContain(secrets);
        }
    }

    private void requests(Gateway gateway) {
        for (String api : List.of("orders", "refusing")) admin(gateway, "PUT", "/apis/" + api, definition(api), TOKEN);
        String issued = admin(
                        gateway,
                        "POST",
                        "/keys",
                        "{\"id\": \"k1\", \"apis\": {\"orders\": {}, \"refusing\": {}}}",
                        TOKEN)
                .body();
        String rotated = admin(gateway, "POST", "/keys/k1/rotate", "", TOKEN).body();
        String key = remember(rotated);
        admin(gateway, "PUT", "/loggers/gateway", "{\"level\": \"trace\"}", TOKEN);
        admin(gateway, "PUT", "/keys/k1", "{\"secret\": \"" + key + "\"", TOKEN);
        admin(gateway, "GET", "/apis?token=" + WRONG_KEY, "", TOKEN);
        admin(gateway, "GET", "/apis", "", WRONG_KEY);
        assertThat(call(gateway, "/orders", "Bearer " + key)).isEqualTo(200);
        assertThat(call(gateway, "/refusing", "Bearer " + key)).isEqualTo(502);
        assertThat(call(gateway, "/orders", "Bearer " + remember(issued))).isEqualTo(401);
        assertThat(call(gateway, "/orders", "Bearer " + WRONG_KEY)).isEqualTo(401);
        assertThat(call(gateway, "/orders?apikey=" + WRONG_KEY, "Basic " + base64("alice:" + PASSWORD)))
                .isEqualTo(401);
        assertThat(call(gateway, "/nowhere", "Bearer " + key)).isEqualTo(404);
    }

    private void requestsWithoutStore(Gateway gateway, CapturedLog log) {
        until(() -> call(gateway, "/orders", "Bearer " + WRONG_KEY + "2") == 503
                && log.text().contains("redis is away"));
        admin(gateway, "GET", "/keys", "", TOKEN);
        admin(gateway, "PUT", "/loggers/gateway", "{\"level\": \"trace\"}", TOKEN);
    }

    private String remember(String issued) {
        String secret = Json.parse(issued).get("secret").stringValue();
        secrets.add(secret);
        return secret;
    }

    private Gateway gateway(String password) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_TOKEN",
                TOKEN,
                "GATEWAY_DATA",
                data.toString(),
                "GATEWAY_DRAIN_TIMEOUT",
                "1s",
                "GATEWAY_STORE",
                "redis://:" + password + "@127.0.0.1:" + redis.port(),
                "GATEWAY_TRAFFIC_LOG",
                "elasticsearch",
                "GATEWAY_ELASTICSEARCH_URL",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "GATEWAY_ELASTICSEARCH_USER",
                "elastic",
                "GATEWAY_ELASTICSEARCH_PASSWORD",
                ELASTIC));
        environment.put("GATEWAY_REDIS_DEADLINE", "1s");
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private String definition(String api) {
        int port =
                api.equals("refusing") ? FreePort.take() : server.getAddress().getPort();
        return """
            {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
             "trafficLog": {"capture": {"request": {"headers": true, "query": true}}}, "policies": [{"type": "key-auth"}, {"type": "rate-limit", "requests": 1000, "per": "1s"}]}""".formatted(api, api, port);
    }

    private HttpResponse<String> admin(Gateway gateway, String method, String path, String body, String token) {
        return send(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + "/admin/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
    }

    private int call(Gateway gateway, String path, String authorization) {
        return send(HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + path))
                        .header("Authorization", authorization))
                .statusCode();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
