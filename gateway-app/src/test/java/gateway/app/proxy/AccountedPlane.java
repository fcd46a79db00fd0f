package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.metrics.Metrics;
import gateway.app.metrics.MetricsSettings;
import gateway.app.steering.Upstreams;
import gateway.app.trace.OtlpTracer;
import gateway.app.trace.SpanReceiver;
import gateway.app.trace.TraceSettings;
import gateway.app.traffic.TrafficSettings;
import gateway.app.traffic.TrafficShipper;
import gateway.app.traffic.TrafficTarget;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.Json;
import gateway.net.IpRanges;
import gateway.service.DefinitionSet;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import gateway.snapshot.SnapshotCompiler;
import gateway.wire.accept.Listening;
import gateway.wire.accept.TlsListen;
import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import tools.jackson.databind.JsonNode;

/// A data plane of every protocol that accounts for its requests: by records in a file, meters and spans.
final class AccountedPlane implements AutoCloseable {
    private static final Pattern COUNTED =
            Pattern.compile("gateway_requests_(?:total|broken_total)\\{.*(?:status|ending)=\"([^\"]*)\"} ([0-9.]+)");

    final RawUpstream upstream = new RawUpstream();
    private final TestAuthority authority = new TestAuthority();
    private final SpanReceiver collector = new SpanReceiver();
    private final Path folder = Files.createTempDirectory("accounted-plane");
    private final LiveSnapshot live = new LiveSnapshot();
    private final Upstreams upstreams = new Upstreams();
    private final Metrics metrics =
            Metrics.start(MetricsSettings.DEFAULT, () -> live.current().apis().keySet(), "");
    private final List<RawConnection> clients = new ArrayList<>();
    private final TrafficShipper log;
    private final OtlpTracer tracer;
    private final DataPlane plane;

    /// What is told of one request: status and outcome of its record, status and error of its span.
    record Account(int status, String outcome, String spanStatus, String spanError) {
        /// The same everywhere.
        static Account of(int status, String outcome) {
            String error = outcome.equals("complete") ? "" : outcome.replace('-', '_');
            return new Account(status, outcome, Integer.toString(status), error);
        }
    }

    AccountedPlane(UnaryOperator<DataPlaneSettings> change) throws IOException {
        this(change, "\"name\": \"Orders\"");
    }

    /// @param more members of its API's definition
    AccountedPlane(UnaryOperator<DataPlaneSettings> change, String more) throws IOException {
        var compiler = new SnapshotCompiler(
                new DefinitionReader(PolicyRegistry.load()), new MeteredServices(metrics), upstreams::upstreamFor);
        String api = """
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "%s"}]}, %s}""".formatted(upstream.url(), more);
        live.replace(compiler.compile(DefinitionSet.ofApis(1, Map.of("orders", api)), Snapshot.EMPTY));
        log = TrafficShipper.start(
                TrafficSettings.of(
                        "node-1",
                        new TrafficTarget.File(
                                folder.resolve("traffic.ndjson"), 1 << 30, 1, TrafficTarget.Fsync.NEVER)),
                InstantSource.system());
        tracer = OtlpTracer.start(
                new TraceSettings(
                        URI.create(collector.endpoint() + "/v1/traces"),
                        1,
                        Map.of(),
                        "gateway",
                        "node-1",
                        "",
                        Duration.ofSeconds(5)),
                InstantSource.system());
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        plane = new DataPlane(
                change.apply(DataPlaneSettings.on(any).withIoThreads(1)),
                new Listening(Optional.of(new TlsListen(any, tls())), IpRanges.NONE, true),
                live,
                metrics.unrouted(),
                log,
                tracer);
    }

    static AccountedPlane start() throws IOException {
        return new AccountedPlane(same -> same);
    }

    private ServerTls tls() {
        authority.issue("localhost", "localhost").write(folder.resolve("a.pem"));
        var settings = new TlsSettings(
                List.of(new TlsSettings.Place(folder.resolve("a.pem"), Optional.empty())),
                Optional.empty(),
                TlsSettings.Version.TLS_1_2,
                TlsSettings.ClientAuth.OFF,
                Optional.empty(),
                Optional.empty(),
                true,
                TlsSettings.Engine.AUTO);
        return ServerTls.of(settings, InstantSource.system());
    }

    DataPlane dataPlane() {
        return plane;
    }

    /// A client of HTTP/1.1 in the clear.
    RawConnection plain() throws IOException {
        return kept(RawConnection.to(plane.address()));
    }

    /// One over TLS.
    RawConnection secure() throws IOException {
        return secure("http/1.1");
    }

    private RawConnection secure(String protocol) throws IOException {
        int port = plane.secureAddress().orElseThrow().getPort();
        Socket socket = authority.client().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        var parameters = ((SSLSocket) socket).getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        ((SSLSocket) socket).setSSLParameters(parameters);
        return kept(new RawConnection(socket));
    }

    /// A client that speaks frames in the clear.
    Http2Wire framed() throws IOException {
        return new Http2Wire(plain()).begin();
    }

    /// One over TLS.
    Http2Wire secureFramed() throws IOException {
        return new Http2Wire(secure("h2")).begin();
    }

    private RawConnection kept(RawConnection client) {
        clients.add(client);
        return client;
    }

    /// Waits until `count` requests have ended, or are counted as if they had.
    void awaitEnded(int count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (ended() < count) {
            assertThat(System.nanoTime())
                    .as("time for %s, with %s", count, meters())
                    .isLessThan(deadline);
            LockSupport.parkNanos(2_000_000);
        }
    }

    private int ended() {
        return meters().entrySet().stream()
                .filter(each -> each.getKey().endsWith("xx"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /// How many requests were counted of each class of status, and of each ending but the usual one.
    Map<String, Integer> meters() {
        var counts = new TreeMap<String, Integer>();
        metrics.scrape().lines().forEach(line -> {
            var counted = COUNTED.matcher(line);
            if (!counted.matches() || counted.group(2).equals("0.0")) return;
            counts.merge(counted.group(1), (int) Double.parseDouble(counted.group(2)), Integer::sum);
        });
        return counts;
    }

    /// Stops, and tells of each request in the order in which they ended.
    List<Account> accounts() throws IOException {
        plane.stop(Duration.ZERO);
        log.close();
        tracer.close();
        var accounts = new ArrayList<Account>();
        for (String line : Files.readAllLines(folder.resolve("traffic.ndjson")))
            accounts.add(account(Json.parse(line)));
        return accounts;
    }

    private Account account(JsonNode record) {
        String trace = record.at("/trace/id").asString();
        Map<String, String> span = collector.spans().stream()
                .filter(each -> each.trace().equals(trace) && each.kind().equals("SERVER"))
                .findFirst()
                .orElseThrow()
                .attributes();
        return new Account(
                record.at("/http/response/status_code").asInt(),
                record.at("/gateway/outcome").asString(),
                span.getOrDefault("http.response.status_code", ""),
                span.getOrDefault("error.type", ""));
    }

    @Override
    public void close() throws IOException {
        for (RawConnection client : clients) client.close();
        plane.stop(Duration.ZERO);
        log.close();
        tracer.close();
        metrics.close();
        collector.close();
        upstreams.close();
        upstream.close();
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
    }
}
