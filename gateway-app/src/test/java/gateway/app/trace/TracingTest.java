package gateway.app.trace;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.app.Gateway;
import gateway.app.trace.SpanReceiver.Received;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Spans of requests through a whole gateway.
@Timeout(60)
final class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    @TempDir
    private Path data;

    private TracingRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new TracingRig(data);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void a_trusted_callers_trace_goes_on_through_the_gateway_to_the_upstream() throws Exception {
        try (Gateway gateway = rig.start(Map.of(
                "GATEWAY_TRUSTED_PROXIES", "127.0.0.1",
                "GATEWAY_TRACING_RATIO", "0",
                "GATEWAY_TRAFFIC_LOG", "file"))) {
            rig.call(
                    gateway,
                    "/orders/7?key=s3cret",
                    "traceparent",
                    "00-" + TRACE + "-" + CALLER + "-03",
                    "tracestate",
                    "a=1");
        }

        Received server = rig.only("GET /orders");
        Received sent = rig.only("GET");
        assertThat(rig.collector.spans())
                .hasSize(2)
                .allMatch(span -> span.trace().equals(TRACE));
        assertThat(server.parent()).isEqualTo(CALLER);
        assertThat(server.kind()).isEqualTo("SERVER");
        assertThat(sent.parent()).isEqualTo(server.id());
        assertThat(sent.kind()).isEqualTo("CLIENT");
        assertThat(server.nanos()).isGreaterThanOrEqualTo(sent.nanos());
        Map<String, List<String>> received = rig.upstreamRequests.take();
        assertThat(received.get("Traceparent")).containsExactly("00-" + TRACE + "-" + sent.id() + "-03");
        assertThat(received.get("Tracestate")).containsExactly("a=1");
        var record = Json.parse(Files.readString(data.resolve("traffic.ndjson")));
        assertThat(record.at("/trace/id").asString()).isEqualTo(TRACE);
    }

    @Test
    void spans_have_the_names_of_the_semantic_conventions() throws Exception {
        try (Gateway gateway =
                rig.start(Map.of("GATEWAY_TRACING_RATIO", "1", "GATEWAY_TRACING_SERVICE_NAME", "edge"))) {
            rig.call(gateway, "/orders/7?key=s3cret");
        }

        Received server = rig.only("GET /orders");
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
        assertThat(rig.only("GET").attributes())
                .containsEntry("http.request.method", "GET")
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry("server.port", Integer.toString(rig.upstreamPort()))
                .containsEntry("http.response.status_code", "201");
        assertThat(rig.collector.spans().toString()).doesNotContain("s3cret");
    }

    @Test
    void a_strangers_trace_is_not_believed() throws Exception {
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            rig.call(gateway, "/orders", "traceparent", "00-" + TRACE + "-" + CALLER + "-00", "tracestate", "a=1");
        }

        Received server = rig.only("GET /orders");
        assertThat(server.trace()).isNotEqualTo(TRACE);
        assertThat(server.parent()).isEmpty();
        Map<String, List<String>> received = rig.upstreamRequests.take();
        assertThat(received.get("Traceparent"))
                .containsExactly("00-" + server.trace() + "-" + rig.only("GET").id() + "-01");
        assertThat(received).doesNotContainKey("Tracestate");
    }

    @Test
    void a_trace_that_its_caller_does_not_record_is_not_recorded_here() throws Exception {
        try (Gateway gateway =
                rig.start(Map.of("GATEWAY_TRUSTED_PROXIES", "127.0.0.1", "GATEWAY_TRACING_RATIO", "1"))) {
            rig.call(gateway, "/orders", "traceparent", "00-" + TRACE + "-" + CALLER + "-00");
        }

        assertThat(rig.collector.spans()).isEmpty();
        assertThat(rig.upstreamRequests.take().get("Traceparent").getFirst())
                .matches("00-" + TRACE + "-[0-9a-f]{16}-00");
    }

    @Test
    void what_is_not_sampled_is_forwarded_as_not_sampled() throws Exception {
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "0"))) {
            rig.call(gateway, "/orders");
        }

        assertThat(rig.collector.spans()).isEmpty();
        assertThat(rig.upstreamRequests.take().get("Traceparent").getFirst()).endsWith("-00");
    }

    @Test
    void without_a_collector_nothing_is_traced_and_the_context_goes_on_as_before() throws Exception {
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_ENDPOINT", ""))) {
            rig.call(gateway, "/orders");
        }

        assertThat(rig.upstreamRequests.take().get("Traceparent").getFirst())
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    }

    @Test
    void an_upstream_that_refuses_fails_both_spans_and_no_route_has_one() throws Exception {
        rig.define("refusing", FreePort.take());
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            assertThat(rig.call(gateway, "/refusing")).isEqualTo(502);
            assertThat(rig.call(gateway, "/nowhere")).isEqualTo(404);
        }

        assertThat(rig.only("GET /refusing").attributes())
                .containsEntry("error.type", "502")
                .containsEntry("http.response.status_code", "502");
        assertThat(rig.only("GET /refusing").error()).isTrue();
        assertThat(rig.collector.named("GET")).hasSize(2).anySatisfy(sent -> {
            assertThat(sent.kind()).isEqualTo("CLIENT");
            assertThat(sent.attributes()).containsEntry("error.type", "unreachable");
        });
        assertThat(rig.collector.named("GET")).anySatisfy(unrouted -> {
            assertThat(unrouted.kind()).isEqualTo("SERVER");
            assertThat(unrouted.error()).isFalse();
            assertThat(unrouted.attributes()).containsEntry("http.response.status_code", "404");
        });
    }

    @Test
    void a_client_that_goes_away_ends_its_spans_once() throws Exception {
        rig.define("silent", rig.upstreamPort());
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            try (var gone = new Socket(
                    InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
                gone.getOutputStream()
                        .write("GET /silent HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                rig.asked.await();
            }
            until(() -> rig.collector.named("GET /silent").size() == 1);
        }

        assertThat(rig.only("GET /silent").attributes()).containsEntry("error.type", "client_gone");
        assertThat(rig.only("GET").attributes()).containsEntry("error.type", "client_gone");
        assertThat(rig.collector.spans()).hasSize(2);
    }

    @Test
    void an_unknown_method_makes_no_name_of_its_own() throws Exception {
        try (Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            rig.call(TracingRig.request(gateway, "/orders").method("BREW", HttpRequest.BodyPublishers.noBody()));
        }

        assertThat(rig.only("HTTP /orders").attributes())
                .containsEntry("http.request.method", "_OTHER")
                .containsEntry("http.request.method_original", "BREW");
    }
}
