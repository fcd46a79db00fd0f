package gateway.app.trace;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.app.FreePort;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.log.CapturedLog;
import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The collector that a whole gateway sends its spans to.
@Timeout(60)
final class CollectorTest {
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
    void the_collector_is_sent_the_headers_that_it_wants() throws Exception {
        try (Gateway gateway = rig.start(Map.of(
                "GATEWAY_TRACING_RATIO", "1", "GATEWAY_TRACING_HEADERS", "Authorization=Bearer s3cret,X-Tenant=a"))) {
            rig.call(gateway, "/orders");
        }

        Map<String, List<String>> request = rig.collector.request();
        assertThat(request.get("Authorization")).containsExactly("Bearer s3cret");
        assertThat(request.get("X-tenant")).containsExactly("a");
        assertThat(request.get("Content-type")).containsExactly("application/x-protobuf");
    }

    @Test
    void a_collector_that_is_away_costs_spans_and_nothing_else_and_is_told_of_once() throws Exception {
        try (var log = new CapturedLog();
                Gateway gateway = rig.start(Map.of(
                        "GATEWAY_TRACING_RATIO", "1",
                        "GATEWAY_TRACING_HEADERS", "Authorization=Bearer s3cret",
                        "GATEWAY_TRACING_TIMEOUT", "500ms",
                        "GATEWAY_TRACING_ENDPOINT", "http://127.0.0.1:" + FreePort.take()))) {
            assertThat(rig.call(gateway, "/orders")).isEqualTo(201);
            until(() -> rig.scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 2.0"));
            assertThat(rig.call(gateway, "/orders")).isEqualTo(201);
            until(() -> rig.scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 4.0"));

            assertThat(rig.scrape(gateway)).contains("gateway_trace_spans_total{fate=\"exported\"} 0.0");
            assertThat(log.text().split("WARN  Collector - spans are dropped", -1))
                    .hasSize(2);
            assertThat(log.text()).doesNotContain("s3cret");
        }
    }

    @Test
    void the_status_of_a_collector_that_refuses_is_told() throws Exception {
        rig.collector.answer(413);
        try (var log = new CapturedLog();
                Gateway gateway = rig.start(Map.of("GATEWAY_TRACING_RATIO", "1"))) {
            assertThat(rig.call(gateway, "/orders")).isEqualTo(201);
            until(() -> rig.scrape(gateway).contains("gateway_trace_spans_total{fate=\"dropped\"} 2.0"));

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

    private static List<String> problems(Map<String, String> environment) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Settings.read(Optional.empty(), environment))
                .problems()
                .stream()
                .map(Object::toString)
                .toList();
    }
}
