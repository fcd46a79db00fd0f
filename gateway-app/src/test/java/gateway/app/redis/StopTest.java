package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.net.httpserver.HttpServer;
import gateway.app.GatewayProcess;
import gateway.app.ProcessSignal;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The whole program told to stop by real signals, with leases in Redis, a traffic log and a request under way.
final class StopTest {
    @TempDir
    private Path data;

    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final RedisProcess redis = RedisProcess.start();
    private HttpServer upstream;
    private String secret = "";

    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestURI().getPath().equals("/slow")) awaitRelease();
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        slowMayEnd.countDown();
        client.shutdownNow();
        upstream.stop(0);
        redis.close();
    }

    @Test
    void a_term_signal_is_followed_step_by_step_and_ends_with_0() throws Exception {
        try (var gateway = start("3s", "60s")) {
            int first = call(gateway, "/first").join().statusCode();
            var slow = call(gateway, "/slow");
            slowArrived.await();

            gateway.terminate();
            gateway.awaitLine("stopping: not ready");
            int meanwhile = call(gateway, "/meanwhile").join().statusCode();
            HttpResponse<String> ready = get(gateway.admin("/health/ready"));
            until(() -> !accepts(gateway));
            slowMayEnd.countDown();

            assertThat(slow.join().statusCode()).isEqualTo(200);
            assertThat(slow.join().headers().firstValue("Connection")).hasValue("close");
            assertThat(gateway.exitCode()).isZero();
            assertThat(first).isEqualTo(200);
            assertThat(meanwhile).isEqualTo(200);
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"draining\"");
            assertThat(steps(gateway))
                    .containsSubsequence(
                            "not ready, serving on for 3s; a second signal hurries",
                            "no new connections, 1 requests under way, 1m at most",
                            "drained",
                            "leases given back",
                            "traffic log flushed, 3 records written, 0 on disk, 0 rejected, 0 dropped");
            assertThat(recorded()).isEqualTo(3);
        }
        assertThat(usedAccordingToAnotherNode()).isEqualTo(3);
    }

    @Test
    void a_second_term_signal_ends_the_wait_and_the_drain_but_loses_neither_leases_nor_records() throws Exception {
        try (var gateway = start("1h", "1h")) {
            call(gateway, "/first").join();
            var slow = call(gateway, "/slow");
            slowArrived.await();

            gateway.terminate();
            gateway.awaitLine("stopping: not ready");
            gateway.terminate();

            assertThat(gateway.exitCode()).isZero();
            assertThat(slow).succeedsWithin(Duration.ofSeconds(10)).returns(503, HttpResponse::statusCode);
            assertThat(steps(gateway))
                    .containsSubsequence(
                            "told to hurry",
                            "requests under way were cut",
                            "leases given back",
                            "traffic log flushed, 2 records written, 0 on disk, 0 rejected, 0 dropped");
            assertThat(recorded()).isEqualTo(2);
        }
        assertThat(usedAccordingToAnotherNode()).isEqualTo(2);
    }

    @Test
    void a_second_term_signal_while_draining_ends_the_drain() throws Exception {
        try (var gateway = start("0ms", "1h")) {
            var slow = call(gateway, "/slow");
            slowArrived.await();

            gateway.terminate();
            gateway.awaitLine("stopping: no new connections");
            gateway.terminate();

            assertThat(gateway.exitCode()).isZero();
            assertThat(slow).succeedsWithin(Duration.ofSeconds(10)).returns(503, HttpResponse::statusCode);
        }
    }

    @Test
    void leases_that_a_frozen_redis_did_not_take_back_are_not_said_to_be_given_back() throws Exception {
        try (var gateway = start("0ms", "1s")) {
            call(gateway, "/first").join();
            ProcessSignal.send("STOP", redis.pid());

            gateway.terminate();

            assertThat(gateway.exitCode()).isZero();
            assertThat(steps(gateway))
                    .contains("not all leases were given back, since Redis did not answer; they count as spent")
                    .doesNotContain("leases given back");
        }
    }

    @Test
    void an_interrupt_from_a_terminal_waits_for_no_balancer() throws Exception {
        assumeFalse(interruptsAreIgnored(), "started in the background: what a shell starts there ignores SIGINT");
        try (var gateway = start("1h", "60s")) {
            ProcessSignal.send("INT", gateway.pid());

            assertThat(gateway.exitCode()).isZero();
            assertThat(steps(gateway)).startsWith("not ready").contains("drained");
        }
    }

    /// Whether this process, and so whatever it starts, was told to ignore SIGINT (signal 2), as Linux tells it.
    private static boolean interruptsAreIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) return false;
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 0b10) != 0);
    }

    private GatewayProcess start(String delay, String drain) throws IOException, InterruptedException {
        var gateway = GatewayProcess.start(
                data,
                Map.of(
                        "GATEWAY_STORE",
                        redis.uri(),
                        "GATEWAY_REDIS_DEADLINE",
                        "2s",
                        "GATEWAY_TRAFFIC_LOG",
                        "file",
                        "GATEWAY_SHUTDOWN_DELAY",
                        delay,
                        "GATEWAY_DRAIN_TIMEOUT",
                        drain));
        admin(gateway, "POST", "/apis", """
            {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
             "policies": [{"type": "key-auth"},
                          {"type": "quota", "requests": 1000, "per": "30d", "counting": "leased"}]}""".formatted(upstream.getAddress().getPort()));
        secret = admin(gateway, "POST", "/keys", "{\"id\": \"k1\", \"apis\": {\"orders\": {}}}")
                .get("secret")
                .stringValue();
        return gateway;
    }

    /// A slice that had not been given back would count as used.
    private long usedAccordingToAnotherNode() throws Exception {
        try (var other = GatewayProcess.start(
                data.resolve("other"), Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_REDIS_DEADLINE", "2s"))) {
            JsonNode usage = admin(other, "GET", "/keys/k1/usage", "");
            return 1000 - usage.findValue("remaining").asLong();
        }
    }

    private static boolean accepts(GatewayProcess gateway) {
        try (var _ =
                new Socket(gateway.address().getAddress(), gateway.address().getPort())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> steps(GatewayProcess gateway) {
        return gateway.lines().stream()
                .filter(line -> line.contains("stopping: "))
                .map(line -> line.substring(line.indexOf("stopping: ") + "stopping: ".length()))
                .toList();
    }

    private long recorded() throws IOException {
        try (var lines = Files.lines(data.resolve("traffic.ndjson"))) {
            return lines.count();
        }
    }

    private CompletableFuture<HttpResponse<String>> call(GatewayProcess gateway, String path) {
        var request = HttpRequest.newBuilder(URI.create("http:/" + gateway.address() + path))
                .header("Authorization", "Bearer " + secret);
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private JsonNode admin(GatewayProcess gateway, String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.admin("/admin/v1" + path))
                .header("Authorization", "Bearer " + gateway.token())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        var answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
        return Json.parse(answer.body());
    }

    private void awaitRelease() {
        slowArrived.countDown();
        try {
            slowMayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
