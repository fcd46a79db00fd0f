package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.steering.Upstreams;
import gateway.net.IpRanges;
import gateway.policy.Policy;
import gateway.service.ApiMeters;
import gateway.service.TrafficLog;
import gateway.wire.accept.Listening;
import gateway.wire.accept.TlsListen;
import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TlsSettings;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A data plane with a TLS listener in front of a [RecordingUpstream]. Its certificates lie in files that a test may
/// change.
final class SecureGateway implements AutoCloseable {
    final RecordingUpstream upstream = new RecordingUpstream();
    final TestAuthority authority = new TestAuthority();
    final Path folder = Files.createTempDirectory("secure-gateway");
    final ServerTls tls;
    volatile Duration ahead = Duration.ZERO; // of the system's clock, as far as the gateway looks at its own
    private final DataPlane dataPlane;
    private final List<Socket> clients = new ArrayList<>();

    /// What differs from one certificate for `a.example`, everybody let in.
    interface Setup {
        TlsSettings with(SecureGateway gateway, TlsSettings usual);
    }

    SecureGateway(Setup setup, UnaryOperator<DataPlaneSettings> plane, Policy... policies) throws IOException {
        this(setup, plane, IpRanges.NONE, "", policies);
    }

    /// @param url of the upstream; empty: its own
    SecureGateway(Setup setup, UnaryOperator<DataPlaneSettings> plane, IpRanges proxies, String url, Policy... policies)
            throws IOException {
        authority.issue("a.example", "a.example").write(folder.resolve("a.pem"));
        authority.write(folder.resolve("ca.pem"));
        var usual = new TlsSettings(
                List.of(place("a.pem")),
                Optional.empty(),
                TlsSettings.Version.TLS_1_2,
                TlsSettings.ClientAuth.OFF,
                Optional.of(folder.resolve("ca.pem")),
                Optional.empty(),
                false,
                TlsSettings.Engine.AUTO);
        tls = ServerTls.of(setup.with(this, usual), () -> Instant.now().plus(ahead));
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var live = OneRoute.live(
                OneRoute.api("/", false, OneRoute.to(url.isEmpty() ? upstream.url() : url)),
                new Upstreams()::upstreamFor,
                policies);
        dataPlane = new DataPlane(
                plane.apply(DataPlaneSettings.on(any).withIoThreads(1)),
                new Listening(Optional.of(new TlsListen(any, tls)), proxies),
                live,
                ApiMeters.NONE,
                TrafficLog.OFF,
                null);
    }

    static SecureGateway start(Policy... policies) throws IOException {
        return new SecureGateway((gateway, usual) -> usual, same -> same, policies);
    }

    static SecureGateway by(TlsSettings.Engine engine, Policy... policies) throws IOException {
        return new SecureGateway((gateway, usual) -> by(engine, usual), same -> same, policies);
    }

    /// The same settings with another engine. Skips the test where that engine cannot be had.
    static TlsSettings by(TlsSettings.Engine engine, TlsSettings settings) {
        if (engine == TlsSettings.Engine.OPENSSL)
            assumeTrue(OpenSsl.isAvailable(), () -> "no library: " + OpenSsl.unavailabilityCause());
        return new TlsSettings(
                settings.certificates(),
                settings.password(),
                settings.oldest(),
                settings.clientAuth(),
                settings.clientCa(),
                settings.clientCrl(),
                settings.http2(),
                engine);
    }

    static SecureGateway inFrontOf(String url) throws IOException {
        return new SecureGateway((gateway, usual) -> usual, same -> same, IpRanges.NONE, url);
    }

    TlsSettings.Place place(String file) {
        return new TlsSettings.Place(folder.resolve(file), Optional.empty());
    }

    DataPlane dataPlane() {
        return dataPlane;
    }

    int port() {
        return dataPlane.secureAddress().orElseThrow().getPort();
    }

    /// A socket of a client that trusts the authority and asks for `name`; its hands are not shaken yet.
    SSLSocket socket(SSLContext context, String name) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
        clients.add(socket);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        var parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    SSLSocket socket() throws IOException {
        return socket(authority.client(), "a.example");
    }

    /// Sends `request` over TLS and reads to the end.
    String exchange(String request) throws IOException {
        return exchange(socket(), request);
    }

    static String exchange(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        for (Socket client : clients) client.close();
        dataPlane.stop(Duration.ZERO);
        upstream.close();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) Files.delete(file);
        }
        Files.delete(folder);
    }
}
