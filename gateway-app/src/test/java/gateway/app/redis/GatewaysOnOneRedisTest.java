package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two whole gateways on one Redis, over HTTP.
final class GatewaysOnOneRedisTest {
    private static final int LIMIT = 150;
    private static final int CLIENTS = 8;

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private RedisProcess redis;
    private HttpServer upstream;
    private Gateway first;
    private Gateway second;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        redis = RedisProcess.start();
        for (String each : List.of("first", "second", "fresh"))
            Files.createDirectories(data.resolve("secrets of " + each));
        Path secret = Files.writeString(data.resolve("secrets of first").resolve("only"), "of one node alone");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        first = gateway("first");
        second = gateway("second");
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
        client.close();
        redis.close();
        upstream.stop(0);
    }

    @Test
    void a_definition_and_a_key_of_one_node_serve_on_the_other_until_disabled_there() {
        define("[{\"type\": \"key-auth\"}]");
        String secret = key();
        until(() -> call(second, secret) == 200);

        admin("PUT", "/keys/k1", "{\"id\": \"k1\", \"enabled\": false, \"apis\": {\"orders\": {}}}");
        assertThat(call(first, secret)).isEqualTo(401);
        until(() -> call(second, secret) == 401);
    }

    @Test
    void an_emptied_redis_gets_back_with_the_next_write_what_the_node_serves() {
        define("[]");
        admin("PUT", "/apis/other", definition("other"));
        until(() -> call(second, "none") == 200);
        redis.cli("FLUSHALL");

        admin("PUT", "/apis/third", definition("third"));

        assertThat(call(first, "none")).isEqualTo(200);
        try (var fresh = gateway("fresh")) {
            assertThat(call(fresh, "none")).isEqualTo(200);
            assertThat(call(fresh, "/other", "none")).isEqualTo(200);
            assertThat(call(fresh, "/third", "none")).isEqualTo(200);
        }
        until(() -> {
            admin("PUT", "/apis/fourth", definition("fourth"));
            admin("DELETE", "/apis/fourth", "");
            return call(second, "/third", "none") == 200;
        });
    }

    @Test
    void a_node_that_cannot_serve_one_api_follows_the_changes_of_others_and_loses_none_that_it_serves()
            throws Exception {
        define("[]");
        String guarded = "[{\"type\": \"headers\", \"request\": {\"set\": {\"X\": {\"file\": \"only\"}}}}]";
        second.close();
        admin(
                "PUT",
                "/apis/guarded",
                definition("guarded").replace("\"upstream\"", "\"policies\": " + guarded + ", \"upstream\""));
        second = gateway("second");
        assertThat(call(second, "/guarded", "none")).isEqualTo(503);

        admin("PUT", "/apis/other", definition("other"));
        until(() -> call(second, "/other", "none") == 200);
        assertThat(call(second, "/guarded", "none")).isEqualTo(503);

        define(guarded);
        admin("PUT", "/apis/third", definition("third"));
        assertThat(call(first, "/third", "none")).isEqualTo(200);
        assertThat(call(second, "none")).isEqualTo(200);
    }

    @Test
    void an_api_that_a_node_cannot_serve_from_its_first_day_keeps_no_other_change_from_it() throws Exception {
        define("[]");
        until(() -> call(second, "none") == 200);
        String guarded = "[{\"type\": \"headers\", \"request\": {\"set\": {\"X\": {\"file\": \"only\"}}}}]";
        admin(
                "PUT",
                "/apis/guarded",
                definition("guarded").replace("\"upstream\"", "\"policies\": " + guarded + ", \"upstream\""));

        admin("PUT", "/apis/other", definition("other"));

        until(() -> call(second, "/other", "none") == 200);
        assertThat(call(second, "/guarded", "none")).isEqualTo(503);
        assertThat(call(second, "none")).isEqualTo(200);
        assertThat(call(first, "/guarded", "none")).isEqualTo(200);

        Path secret = Files.writeString(data.resolve("secrets of second").resolve("only"), "of both");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        until(() -> call(second, "/guarded", "none") == 200);
    }

    @Test
    void exact_counting_over_both_nodes_admits_the_limit_and_not_one_more() throws Exception {
        var tally = sendToBoth(limited("exact"));

        assertThat(tally.passed()).isLessThanOrEqualTo(LIMIT);
        assertThat(tally.passed() + tally.late()).isGreaterThanOrEqualTo(LIMIT);
    }

    @Test
    void leased_counting_over_both_nodes_never_admits_more_than_the_limit() throws Exception {
        var tally = sendToBoth(limited("leased"));

        assertThat(tally.passed()).isBetween(1, LIMIT);
    }

    @Test
    void a_node_that_ends_gives_back_what_it_leased() {
        String secret = limited("leased");
        until(() -> call(second, "none") == 401);
        until(() -> call(first, secret) == 200);

        first.close();

        var tally = new Tally();
        until(() -> tally.count(call(second, secret)) == 429);
        assertThat(tally.passed()).isLessThan(LIMIT);
        assertThat(1 + tally.passed() + tally.late()).isGreaterThanOrEqualTo(LIMIT);
    }

    @Test
    void who_was_refused_by_one_node_is_kept_out_by_the_other_until_let_in_by_either() {
        define("[{\"type\": \"ban\", \"failures\": 3, \"per\": \"1m\", \"for\": \"1h\"}, {\"type\": \"key-auth\"}]");
        String secret = key();
        until(() -> call(second, secret) == 200);

        for (int i = 0; i < 3; i++) assertThat(call(first, "wrong")).isEqualTo(401);
        assertThat(call(first, secret)).isEqualTo(429);
        until(() -> call(second, secret) == 429);

        assertThat(admin("DELETE", "/bans?policy=orders/ban", "")).contains("\"lifted\" : 1");
        assertThat(call(first, secret)).isEqualTo(200);
        until(() -> call(second, secret) == 200);
    }

    /// Sends more than the limit, to one node and the other, from several clients at once.
    private Tally sendToBoth(String secret) throws Exception {
        until(() -> call(second, "none") == 401);
        var tally = new Tally();
        Callable<Void> calls = () -> {
            for (int i = 0; i < 2 * LIMIT / CLIENTS; ) {
                if (tally.count(call(i % 2 == 0 ? first : second, secret)) != 503) i++;
            }
            return null;
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(CLIENTS, calls))) each.get();
        }
        return tally;
    }

    /// What became of requests. One that Redis answered too late (503, on a busy machine) may have been
    /// counted.
    private static final class Tally {
        private final AtomicInteger passed = new AtomicInteger();
        private final AtomicInteger late = new AtomicInteger();

        int count(int status) {
            if (status == 200) passed.incrementAndGet();
            if (status == 503) late.incrementAndGet();
            return status;
        }

        int passed() {
            return passed.get();
        }

        int late() {
            return late.get();
        }
    }

    private String limited(String counting) {
        define("""
                [{"type": "key-auth"},
                 {"type": "quota", "requests": %d, "per": "30d", "counting": "%s"}]""".formatted(LIMIT, counting));
        return key();
    }

    private Gateway gateway(String node) {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_DATA",
                        data.resolve(node).toString(),
                        "GATEWAY_NODE",
                        node,
                        "GATEWAY_SECRETS",
                        data.resolve("secrets of " + node).toString(),
                        "GATEWAY_STORE",
                        redis.uri(),
                        "GATEWAY_DRAIN_TIMEOUT",
                        "2s")));
    }

    private void define(String policies) {
        admin("PUT", "/apis/orders", """
            {"id": "orders", "name": "Orders", "match": {"path": "/orders"}, "policies": %s,
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        policies, upstream.getAddress().getPort()));
    }

    private String definition(String id) {
        return """
            {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, id, upstream.getAddress().getPort());
    }

    private String key() {
        return Json.parse(admin("POST", "/keys", "{\"id\": \"k1\", \"apis\": {\"orders\": {}}}"))
                .get("secret")
                .stringValue();
    }

    private String admin(String method, String path, String body) {
        var response = send(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + first.adminAddress().getPort() + "/admin/v1" + path))
                .header("Authorization", "Bearer " + first.adminToken().reveal())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 201, 204);
        return response.body();
    }

    private int call(Gateway gateway, String secret) {
        return call(gateway, "/orders", secret);
    }

    private int call(Gateway gateway, String path, String secret) {
        return send(HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + gateway.address().getPort() + path))
                        .header("Authorization", "Bearer " + secret))
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
}
