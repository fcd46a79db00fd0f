package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.http.Outcome;
import gateway.http.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Metrics at a real HTTP endpoint that decodes them as a collector does.
@Timeout(60)
final class OtlpTest {
    private static final Outcome OK = new Outcome(200, Outcome.Ending.COMPLETE, 20_000_000, 21_000_000);

    private final LinkedBlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> credentials = new LinkedBlockingQueue<>();
    private HttpServer collector;
    private volatile int status = 200;

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", this::receive);
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    @Test
    void tells_counters_and_histograms_with_their_buckets_and_who_it_is() throws InterruptedException {
        try (var metrics = metrics()) {
            metrics.unrouted().ended(OK);
            metrics.unrouted().ended(OK);

            Metric requests = await(
                    "gateway.requests",
                    each -> each.getSum().getDataPointsList().stream().anyMatch(point -> point.getAsDouble() == 2));
            Metric durations = await("gateway.request.duration", each -> each.hasHistogram());

            assertThat(requests.getSum().getIsMonotonic()).isTrue();
            var point = durations.getHistogram().getDataPoints(0);
            assertThat(point.getCount()).isEqualTo(2);
            assertThat(point.getSum()).isEqualTo(0.042);
            assertThat(durations.getUnit()).isEqualTo("seconds");
            assertThat(point.getBucketCounts(point.getExplicitBoundsList().indexOf(0.025)))
                    .isEqualTo(2);
        }
        assertThat(credentials).contains("secret-of-the-collector");
    }

    @Test
    void tells_the_rest_at_the_end() {
        var metrics = metrics(Duration.ofHours(1));
        metrics.unrouted().ended(OK);

        metrics.close();

        assertThat(received).hasSize(1);
        assertThat(received.element().getResourceMetrics(0).getResource().getAttributesList())
                .anyMatch(each -> each.getKey().equals("service.instance.id")
                        && each.getValue().getStringValue().equals("node-1"));
    }

    @Test
    void says_once_that_it_is_refused_and_without_the_credentials() throws InterruptedException {
        status = 401;
        try (var log = LogCapture.of(ReceiverOutageLog.class);
                var metrics = metrics()) {
            metrics.unrouted().ended(OK);
            for (int i = 0; i < 4; i++) received.take();
            status = 200;
            log.awaitLine("takes metrics again");

            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().getFirst()).contains("answered 401").doesNotContain("secret");
        }
    }

    @Test
    void goes_on_while_nobody_listens() {
        collector.stop(0);
        try (var log = LogCapture.of(ReceiverOutageLog.class);
                var metrics = metrics()) {
            metrics.unrouted().ended(OK);

            log.awaitLine("takes no metrics");
            metrics.unrouted().ended(OK);
            assertThat(metrics.scrape()).contains("gateway_requests_total{api=\"none\",status=\"2xx\"} 2.0");
        }
    }

    private Metrics metrics() {
        return metrics(Duration.ofMillis(200));
    }

    private Metrics metrics(Duration interval) {
        URI url = URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics");
        var receiver = new OtlpReceiver(url, Map.of("Authorization", new Secret("secret-of-the-collector")));
        var settings = new MetricsSettings("node-1", 100, false, interval, Optional.of(receiver), Optional.empty());
        return Metrics.start(settings, Set::of, "1.0");
    }

    @Test
    void a_receiver_that_never_answers_is_waited_for_no_longer_once_hurried() throws Exception {
        try (var log = LogCapture.of(ReceiverOutageLog.class);
                var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            var export = new OtlpExport(new OtlpReceiver(url, Map.of()), Duration.ofHours(1));
            var settings =
                    new MetricsSettings("node-1", 100, false, Duration.ofHours(1), Optional.empty(), Optional.empty());
            MeterRegistry registry = export.registry(settings, "");
            registry.counter("told").increment();
            Thread closing = Thread.ofPlatform().start(registry::close);
            try (Socket told = silent.accept()) {
                assertThat(told.isConnected()).isTrue();

                export.hurry(Duration.ofMillis(1));

                closing.join();
                log.awaitLine("takes no metrics: no answer in time");
            }
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.add(ExportMetricsServiceRequest.parseFrom(
                    new GZIPInputStream(exchange.getRequestBody()).readAllBytes()));
            credentials.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private Metric await(String name, Predicate<Metric> wanted) throws InterruptedException {
        while (true) {
            for (var resource : received.take().getResourceMetricsList()) {
                for (Metric each : resource.getScopeMetrics(0).getMetricsList()) {
                    if (each.getName().equals(name) && wanted.test(each)) return each;
                }
            }
        }
    }
}
