package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.app.log.CapturedLog;
import gateway.app.metrics.Metrics;
import gateway.app.metrics.MetricsSettings;
import gateway.app.steering.Upstreams;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.net.AllowedNetworks;
import gateway.net.IpRanges;
import gateway.service.DefinitionSet;
import gateway.service.KeptParts;
import gateway.service.TrafficRecord;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import gateway.wire.accept.Listening;
import gateway.wire.client.FakeNames;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Why an upstream gave no answer, in the record, the meter and the log; the client learns less.
@Timeout(90)
final class UpstreamReasonsTest {
    @TempDir
    private Path folder;

    private final FakeNames names = new FakeNames();
    private final LiveSnapshot live = new LiveSnapshot();
    private final Metrics metrics =
            Metrics.start(MetricsSettings.DEFAULT, () -> live.current().apis().keySet(), "");
    private final BlockingQueue<TrafficRecord> records = new LinkedBlockingQueue<>();
    private final CapturedLog log = new CapturedLog();
    private RawUpstream upstream;
    private DataPlane plane;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        plane = new DataPlane(
                DataPlaneSettings.on(any).withIoThreads(1),
                new Listening(Optional.empty(), IpRanges.NONE, true),
                live,
                metrics.unrouted(),
                records::add,
                null);
    }

    @AfterEach
    void stop() throws IOException {
        plane.stop(Duration.ZERO);
        upstream.close();
        metrics.close();
        log.close();
    }

    @Test
    void an_upstream_that_refuses_resets_ends_and_breaks_the_protocol() throws Exception {
        serve(upstream.url(), "");
        assertThat(called(RawConnection::reset)).startsWith("502 upstream-broken upstream-reset");
        assertThat(called(RawConnection::close)).startsWith("502 upstream-broken upstream-closed");
        assertThat(called(server -> server.send("HELLO\r\n\r\n")))
                .startsWith("502 upstream-malformed upstream-malformed");

        upstream.refuse();

        assertThat(called()).startsWith("502 upstream-unreachable upstream-refused");
        assertThat(metrics.scrape())
                .contains("gateway_refusals_total{api=\"orders\",reason=\"upstream-reset\"} 1.0")
                .contains("gateway_refusals_total{api=\"orders\",reason=\"upstream-refused\"} 1.0");
        assertThat(log.text())
                .contains("WARN  RefusalLog - refused with 502 upstream-refused, upstream " + upstream.url()
                        + ": no connection to the upstream");
    }

    @Test
    void a_log_line_of_one_kind_holds_the_next_ones_back() throws Exception {
        serve(upstream.url(), "");
        upstream.refuse();

        for (int i = 0; i < 20; i++) assertThat(called()).startsWith("502 ");

        assertThat(log.text().split("refused with 502 upstream-refused, upstream", -1))
                .hasSizeLessThan(7);
        assertThat(metrics.scrape())
                .contains("gateway_refusals_total{api=\"orders\",reason=\"upstream-refused\"} 20.0");
    }

    @Test
    void an_upstream_that_is_too_late() throws Exception {
        serve(upstream.url(), ", \"timeout\": \"200ms\"");

        assertThat(called(_ -> {})).startsWith("504 upstream-timeout upstream-timeout");
    }

    @Test
    void an_upstream_that_is_too_late_for_the_clients_own_deadline() throws Exception {
        serve(upstream.url(), ", \"protocol\": \"h2c\"");
        try (var client = new Http2Wire(plane.address()).begin()) {
            client.post(1, "/s/m", "content-type", "application/grpc", "grpc-timeout", "50m");
            client.data(1, true, "hello");

            assertThat(client.answer(1).fields()).contains(entry("grpc-status", "4"));
            assertThat(records.take().api().reason()).isEqualTo("client-deadline");
        }
    }

    @Test
    void a_name_that_nobody_knows_or_that_leads_where_nobody_may_call() throws Exception {
        names.set("metadata.example", "169.254.169.254");

        serve("http://metadata.example", "");
        assertThat(called()).startsWith("502 upstream-forbidden upstream-forbidden");
        serve("http://nobody.example", "");
        assertThat(called()).startsWith("502 upstream-unreachable upstream-name-unknown");
    }

    @Test
    void a_breaker_that_is_open_and_targets_that_are_out() throws Exception {
        serve(upstream.url(), ", \"circuitBreaker\": {\"minRequests\": 1}");
        upstream.refuse();

        assertThat(called()).contains("upstream-refused");
        assertThat(called()).startsWith("503 upstream-unavailable upstream-breaker-open");
    }

    @Test
    void a_server_whose_certificate_is_for_another_name_or_of_a_stranger() throws Exception {
        var authority = new TestAuthority();
        Path ca = authority.write(folder.resolve("ca.pem"));
        Path foreign = new TestAuthority().write(folder.resolve("foreign.pem"));
        names.set("stock.example", "127.0.0.1");
        try (var secure = new SecureUpstream(authority, authority.issue("orders", "orders.example"))) {
            String url = "https://stock.example:" + URI.create(secure.url()).getPort();
            serve(url, ", \"tls\": {\"ca\": \"" + ca + "\"}");
            assertThat(called()).startsWith("502 upstream-unreachable upstream-tls-name");
            serve(url, ", \"tls\": {\"ca\": \"" + foreign + "\", \"serverName\": \"orders.example\"}");
            assertThat(called()).startsWith("502 upstream-unreachable upstream-tls-certificate");
            String trusted = "\"ca\": \"" + ca + "\", \"serverName\": \"orders.example\"";
            serve(url, ", \"tls\": {" + trusted + ", \"pins\": [\"" + "00".repeat(32) + "\"]}");
            assertThat(called()).startsWith("502 upstream-unreachable upstream-tls-pin");
            serve(url, ", \"protocol\": \"h2\", \"tls\": {" + trusted + "}");
            assertThat(called()).startsWith("502 upstream-unreachable upstream-no-http2");
        }
    }

    @Test
    void files_of_its_tls_that_have_gone_since_the_definition_was_taken() throws Exception {
        Path ca = new TestAuthority().write(folder.resolve("ca.pem"));
        serve(upstream.url().replace("http:", "https:"), ", \"tls\": {\"ca\": \"" + ca + "\"}");
        Files.delete(ca);

        assertThat(called()).startsWith("502 upstream-unreachable upstream-tls-files");
    }

    @Test
    void a_server_that_speaks_no_tls_and_one_that_takes_no_connection() throws Exception {
        try (var plain = new RecordingUpstream();
                var full = new FullBacklog()) {
            serve(plain.url().replace("http:", "https:"), "");
            assertThat(called()).startsWith("502 upstream-unreachable upstream-tls-handshake");
            serve(full.url(), ", \"connectTimeout\": \"200ms\"");
            assertThat(called()).startsWith("504 upstream-timeout upstream-connect-timeout");
        }
        assertThat(metrics.scrape())
                .contains("gateway_refusals_total{api=\"orders\",reason=\"upstream-tls-handshake\"} 1.0")
                .contains("gateway_refusals_total{api=\"orders\",reason=\"upstream-connect-timeout\"} 1.0");
        assertThat(log.text())
                .contains("refused with 502 upstream-tls-handshake", "refused with 504 upstream-connect-timeout");
    }

    @Test
    void an_upstream_with_as_many_requests_as_it_may_have() throws Exception {
        serve(upstream.url(), ", \"bulkhead\": {\"requests\": 1, \"queue\": 0}");
        try (RawConnection first = RawConnection.to(plane.address()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                RawConnection server = upstream.accept()) {
            server.readHead();

            assertThat(called()).startsWith("503 upstream-unavailable upstream-busy");

            server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            assertThat(Http.start(first.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void what_no_api_serves_has_a_reason_too() throws Exception {
        assertThat(called()).startsWith("404 not-found not-found");
        assertThat(metrics.scrape()).contains("gateway_refusals_total{api=\"none\",reason=\"not-found\"} 1.0");
    }

    private interface Play {
        void on(RawConnection server) throws IOException;
    }

    private void serve(String url, String more) {
        var compiler = new SnapshotCompiler(
                new DefinitionReader(PolicyRegistry.load()),
                new MeteredServices(metrics),
                new Upstreams(AllowedNetworks.USUAL, new KeptParts(), names, System::nanoTime)::upstreamFor);
        String api = "{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {\"targets\": [{\"url\": \""
                + url + "\"}]" + more + "}}";
        live.replace(compiler.compile(DefinitionSet.ofApis(1, Map.of("orders", api)), Snapshot.EMPTY));
    }

    /// The status, the problem type that the client is told, and the reason that the record has.
    private String called() throws Exception {
        try (RawConnection client = RawConnection.to(plane.address())) {
            return told(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer());
        }
    }

    /// The same, once the server has got the request and done its part.
    private String called(Play play) throws Exception {
        try (RawConnection client = RawConnection.to(plane.address())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection server = upstream.accept();
            server.readHead();
            play.on(server);
            return told(client.readAnswer());
        }
    }

    private String told(String answer) throws InterruptedException {
        String type = answer.replaceAll("(?s).*urn:gateway:problem:([a-z-]+).*", "$1");
        return answer.substring(9, 12) + ' ' + type + ' ' + records.take().api().reason();
    }
}
