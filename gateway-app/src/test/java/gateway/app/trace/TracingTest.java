package gateway.app.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.log.CapturedLog;
import gateway.app.trace.SpanReceiver.Received;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway that sends spans to a collector.
@Timeout(60)
final class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BlockingQueue<Map<String, List<String>>> upstreamRequests = new LinkedBlockingQueue<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private HttpServer upstream;
    private SpanReceiver collector;

    @BeforeEach
    void start() throws IOException {
        collector = new SpanReceiver();
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                upstreamRequests.add(exchange.getRequestHeaders());
                exchange.sendResponseHeaders(201, -1);
            }
        });
        upstream.createContext("/silent", exchange -> {
            asked.countDown();
            try (exchange) {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        define("orders", upstream.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        release.countDown();
        client.close();
        collector.close();
        upstream.stop(0);
    }

    @Test
    void a_trusted_callers_trace_goes_on_through_the_gateway_to_the_upstream() throws Exception {
        try (Gateway gateway = start(Map.of(
                "GATEWAY_TRUSTED_PROXIES", "127.0.0.1",
                "GATEWAY_TRACING_RATIO", "0",
                "GATEWAY_TRAFFIC_LOG", "file"))) {
            call(
                    gateway,
                    "/orders/7?key=s3cret",
                    "traceparent",
                    "00-" + TRACE + "-" + CALLER + "-03",
                    "tracestate",
                    "a=1");
        }

        Received server = only("GET /orders");
        Received sent = only("GET");
        assertThat(collector.spans()).hasSize(2).allMatch(span -> span.trace().equals(TRACE));
        assertThat(server.parent()).isEqualTo(CALLER);
        assertThat(server.kind()).isEqualTo("SERVER");
        assertThat(sent.parent()).isEqualTo(server.id());
        assertThat(sent.kind()).isEqualTo("CLIENT");
        assertThat(server.nanos()).isGreaterThanOrEqualTo(sent.nanos());
        Map<String, List<String>> received = upstreamRequests.take();
        assertThat(received.get("Traceparent")).containsExactly("00-" + TRACE + "-" + sent.id() + "-03");
        assertThat(received.get("Tracestate")).containsExactly("a=1");
        var record = Json.parse(Files.readString(data.resolve("traffic.ndjson")));
        assertThat(record.at("/trace/id").asString()).isEqualTo(TRACE);
    }

    @Test
    void spans_have_the_names_of_the_semantic_conventions() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1", "GATEWAY_TRACING_SERVICE_NAME", "edge"))) {
            call(gateway, "/orders/7?key=s3cret");
        }

        Received server = only("GET /orders");
        assertThat(server.attributes())
                .containsEntry("http.request.method", "GET")
                .containsEntry("http.route", "/orders")
                .containsEntry("url.path", "/orders/7")
                .containsEntry("url.scheme", "http")
                .containsEntry("http.response.status_code", "201")
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry("client.address", "127.0.0.1")
                .containsEntry("gateway.api", "orders")
                .containsEntry("http.request.id", server.trace())
                .doesNotContainKey("error.type");
        assertThat(server.error()).isFalse();
        assertThat(server.resource())
                .containsEntry("service.name", "edge")
                .containsEntry("service.instance.id", "node-1");
        assertThat(only("GET").attributes())
                .containsEntry("http.request.method", "GET")
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry(
                        "server.port", Integer.toString(upstream.getAddress().getPort()))
                .containsEntry("http.response.status_code", "201");
        assertThat(collector.spans().toString()).doesNotContain("s3cret");
    }

    @Test
    void a_strangers_trace_is_not_believed() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            call(gateway, "/orders", "traceparent", "00-" + TRACE + "-" + CALLER + "-00", "tracestate", "a=1");
        }

        Received server = only("GET /orders");
        assertThat(server.trace()).isNotEqualTo(TRACE);
        assertThat(server.parent()).isEmpty();
        Map<String, List<String>> received = upstreamRequests.take();
        assertThat(received.get("Traceparent"))
                .containsExactly("00-" + server.trace() + "-" + only("GET").id() + "-01");
        assertThat(received).doesNotContainKey("Tracestate");
    }

    @Test
    void a_trace_that_its_caller_does_not_record_is_not_recorded_here() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRUSTED_PROXIES", "127.0.0.1", "GATEWAY_TRACING_RATIO", "1"))) {
            call(gateway, "/orders", "traceparent", "00-" + TRACE + "-" + CALLER + "-00");
        }

        assertThat(collector.spans()).isEmpty();
        assertThat(upstreamRequests.take().get("Traceparent").getFirst()).matches("00-" + TRACE + "-[0-9a-f]{16}-00");
    }

    @Test
    void what_is_not_sampled_is_forwarded_as_not_sampled() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "0"))) {
            call(gateway, "/orders");
        }

        assertThat(collector.spans()).isEmpty();
        assertThat(upstreamRequests.take().get("Traceparent").getFirst()).endsWith("-00");
    }

    @Test
    void without_a_collector_nothing_is_traced_and_the_context_goes_on_as_before() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_ENDPOINT", ""))) {
            call(gateway, "/orders");
        }

        assertThat(upstreamRequests.take().get("Traceparent").getFirst()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    }

    @Test
    void an_upstream_that_refuses_fails_both_spans_and_no_route_has_one() throws Exception {
        define("refusing", closedPort());
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            assertThat(call(gateway, "/refusing")).isEqualTo(502);
            assertThat(call(gateway, "/nowhere")).isEqualTo(404);
        }

        assertThat(only("GET /refusing").attributes())
                .containsEntry("error.type", "502")
                .containsEntry("http.response.status_code", "502");
        assertThat(only("GET /refusing").error()).isTrue();
        assertThat(collector.named("GET")).hasSize(2).anySatisfy(sent -> {
            assertThat(sent.kind()).isEqualTo("CLIENT");
            assertThat(sent.attributes()).containsEntry("error.type", "unreachable");
        });
        assertThat(collector.named("GET")).anySatisfy(unrouted -> {
            assertThat(unrouted.kind()).isEqualTo("SERVER");
            assertThat(unrouted.error()).isFalse();
            assertThat(unrouted.attributes()).containsEntry("http.response.status_code", "404");
        });
    }

    @Test
    void a_client_that_goes_away_ends_its_spans_once() throws Exception {
        define("silent", upstream.getAddress().getPort());
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            try (var gone = new Socket(
                    InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
                gone.getOutputStream()
                        .write("GET /silent HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                asked.await();
            }
            until(() -> collector.named("GET /silent").size() == 1);
        }

        assertThat(only("GET /silent").attributes()).containsEntry("error.type", "client_gone");
        assertThat(only("GET").attributes()).containsEntry("error.type", "client_gone");
        assertThat(collector.spans()).hasSize(2);
    }

    @Test
    void an_unknown_method_makes_no_name_of_its_own() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            client.send(
                    request(gateway, "/orders")
                            .method("BREW", HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        }

        assertThat(only("HTTP /orders").attributes())
                .containsEntry("http.request.method", "_OTHER")
                .containsEntry("http.request.method_original", "BREW");
    }

    @Test
    void the_collector_is_sent_the_headers_that_it_wants() throws Exception {
        try (Gateway gateway = start(Map.of(
                "GATEWAY_TRACING_RATIO", "1", "GATEWAY_TRACING_HEADERS", "Authorization=Bearer s3cret,X-Tenant=a"))) {
            call(gateway, "/orders");
        }

        Map<String, List<String>> request = collector.request();
        assertThat(request.get("Authorization")).containsExactly("Bearer s3cret");
        assertThat(request.get("X-tenant")).containsExactly("a");
        assertThat(request.get("Content-type")).containsExactly("application/x-protobuf");
    }

    @Test
    void a_collector_that_is_away_costs_spans_and_nothing_else_and_is_told_of_once() throws Exception {
        try (var log = new CapturedLog();
                Gateway gateway = start(Map.of(
                        "GATEWAY_TRACING_RATIO", "1",
                        "GATEWAY_TRACING_HEADERS", "Authorization=Bearer s3cret",
                        "GATEWAY_TRACING_TIMEOUT", "500ms",
                        "GATEWAY_TRACING_ENDPOINT", "http://127.0.0.1:" + closedPort()))) {
            assertThat(call(gateway, "/orders")).isEqualTo(201);
            until(() -> scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 2.0"));
            assertThat(call(gateway, "/orders")).isEqualTo(201);
            until(() -> scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 4.0"));

            assertThat(scrape(gateway)).contains("gateway_trace_spans_total{fate=\"exported\"} 0.0");
            assertThat(log.text().split("WARN  Collector - spans are dropped", -1))
                    .hasSize(2);
            assertThat(log.text()).doesNotContain("s3cret");
        }
    }

    @Test
    void the_status_of_a_collector_that_refuses_is_told() throws Exception {
        collector.answer(413);
        try (var log = new CapturedLog();
                Gateway gateway = start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            assertThat(call(gateway, "/orders")).isEqualTo(201);
            until(() -> scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 2.0"));

            assertThat(log.text()).contains("does not take them: it answered 413");
        }
    }

    @Test
    void settings_are_refused_by_name() {
        assertThat(problems(Map.of("GATEWAY_TRACING_ENDPOINT", "collector:4317", "GATEWAY_TRACING_RATIO", "1.5")))
                .containsExactlyInAnyOrder(
                        "GATEWAY_TRACING_ENDPOINT: expected a list of http:// or https:// locations, got \"collector:4317\"",
                        "GATEWAY_TRACING_RATIO: expected a number from 0 to 1 such as \"0.05\", got \"1.5\"");
        assertThat(problems(Map.of(
                        "GATEWAY_TRACING_ENDPOINT", "http://a:s3cret@h:4318", "GATEWAY_TRACING_HEADERS", "s3cret")))
                .hasSize(2)
                .noneMatch(problem -> problem.contains("s3cret"));
    }

    private Received only(String name) {
        List<Received> found = collector.named(name);
        assertThat(found)
                .as("spans called " + name + " of " + collector.spans())
                .hasSize(1);
        return found.getFirst();
    }

    private Gateway start(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_NODE", "node-1",
                "GATEWAY_DRAIN_TIMEOUT", "5s",
                "GATEWAY_TRACING_ENDPOINT", collector.endpoint()));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    private void define(String id, int port) throws IOException {
        Path folder = Files.createDirectories(data.resolve("apis"));
        Files.writeString(folder.resolve(id + ".json"), """
            {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, id, port));
    }

    private int call(Gateway gateway, String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(gateway, path);
        if (headers.length > 0) request.headers(headers);
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest.Builder request(Gateway gateway, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.address().getPort() + path));
    }

    private String scrape(Gateway gateway) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + gateway.adminAddress().getPort() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("did not come about");
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static int closedPort() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return taken.getLocalPort();
        }
    }

    private static List<String> problems(Map<String, String> environment) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Settings.read(Optional.empty(), environment))
                .problems()
                .stream()
                .map(Object::toString)
                .toList();
    }
}
