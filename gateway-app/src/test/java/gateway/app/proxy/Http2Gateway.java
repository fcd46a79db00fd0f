package gateway.app.proxy;

import gateway.app.steering.Upstreams;
import gateway.config.UpstreamDefinition;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.service.ApiMeters;
import gateway.service.TrafficLog;
import gateway.wire.accept.Listening;
import gateway.wire.accept.TlsListen;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A data plane whose both listeners take HTTP/2, in front of an upstream that the test plays.
final class Http2Gateway implements AutoCloseable {
    final RawUpstream upstream = new RawUpstream();
    final TestAuthority authority = new TestAuthority();
    private final Path folder = Files.createTempDirectory("http2-gateway");
    private final DataPlane dataPlane;
    private final HttpClient client;

    private Http2Gateway(
            String url, long maxBody, UnaryOperator<DataPlaneSettings> plane, TrafficLog log, Policy... policies)
            throws IOException {
        this(url.isEmpty() ? Optional.empty() : Optional.of(OneRoute.to(url)), maxBody, plane, log, policies);
    }

    private Http2Gateway(
            Optional<UpstreamDefinition> to,
            long maxBody,
            UnaryOperator<DataPlaneSettings> plane,
            TrafficLog log,
            Policy... policies)
            throws IOException {
        authority.issue("localhost", "localhost").write(folder.resolve("a.pem"));
        authority.write(folder.resolve("ca.pem"));
        var tls = new TlsSettings(
                List.of(new TlsSettings.Place(folder.resolve("a.pem"), Optional.empty())),
                Optional.empty(),
                TlsSettings.Version.TLS_1_2,
                TlsSettings.ClientAuth.OFF,
                Optional.empty(),
                Optional.empty(),
                true,
                TlsSettings.Engine.AUTO);
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var api = OneRoute.api("/", false, to.orElseGet(() -> OneRoute.to(upstream.url())), maxBody);
        dataPlane = new DataPlane(
                plane.apply(DataPlaneSettings.on(any).withIoThreads(1)),
                new Listening(
                        Optional.of(new TlsListen(any, ServerTls.of(tls, InstantSource.system()))),
                        IpRanges.NONE,
                        true),
                OneRoute.live(api, new Upstreams()::upstreamFor, policies),
                ApiMeters.NONE,
                log,
                null);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(authority.client())
                .build();
    }

    static Http2Gateway start(Policy... policies) throws IOException {
        return new Http2Gateway("", Long.MAX_VALUE, same -> same, TrafficLog.OFF, policies);
    }

    static Http2Gateway with(UnaryOperator<DataPlaneSettings> plane) throws IOException {
        return new Http2Gateway("", Long.MAX_VALUE, plane, TrafficLog.OFF);
    }

    static Http2Gateway holding(MemoryBudget memory, Policy... policies) throws IOException {
        return new Http2Gateway("", Long.MAX_VALUE, plane -> plane.withMemory(memory), TrafficLog.OFF, policies);
    }

    static Http2Gateway withMaxBody(long bytes) throws IOException {
        return new Http2Gateway("", bytes, same -> same, TrafficLog.OFF);
    }

    static Http2Gateway telling(TrafficLog log, String url) throws IOException {
        return new Http2Gateway(url, Long.MAX_VALUE, same -> same, log);
    }

    static Http2Gateway inFrontOf(String url) throws IOException {
        return new Http2Gateway(url, Long.MAX_VALUE, same -> same, TrafficLog.OFF);
    }

    static Http2Gateway inFrontOf(UpstreamDefinition upstream) throws IOException {
        return inFrontOf(upstream, same -> same);
    }

    static Http2Gateway inFrontOf(
            UpstreamDefinition upstream, UnaryOperator<DataPlaneSettings> plane, Policy... policies)
            throws IOException {
        return new Http2Gateway(Optional.of(upstream), Long.MAX_VALUE, plane, TrafficLog.OFF, policies);
    }

    DataPlane dataPlane() {
        return dataPlane;
    }

    Path certificateAuthority() {
        return folder.resolve("ca.pem");
    }

    /// One that trusts the gateway and prefers HTTP/2.
    HttpClient client() {
        return client;
    }

    /// Opens the connection that the client's requests share from then on: of many at once each opens its own.
    void connect() throws IOException, InterruptedException {
        client.send(request("/").build(), BodyHandlers.discarding());
    }

    String url(String path) {
        return "https://localhost:" + dataPlane.secureAddress().orElseThrow().getPort() + path;
    }

    String plainUrl(String path) {
        return "http://localhost:" + dataPlane.address().getPort() + path;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url(path))).timeout(Duration.ofSeconds(60));
    }

    /// A client that speaks frames in the clear.
    Http2Wire wire() throws IOException {
        return new Http2Wire(dataPlane.address()).begin();
    }

    RawConnection plain() throws IOException {
        return RawConnection.to(dataPlane.address());
    }

    @Override
    public void close() throws IOException {
        client.shutdownNow();
        dataPlane.stop(Duration.ZERO);
        upstream.close();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) Files.delete(file);
        }
        Files.delete(folder);
    }
}
