package gateway.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.tls.TestAuthority;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamProtocol;
import gateway.config.UpstreamTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that may choose between HTTP/2 and HTTP/1.1, and chooses HTTP/1.1.
@Timeout(60)
final class ChosenHttp1Test {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private final List<List<String>> offered = new CopyOnWriteArrayList<>();
    private SSLServerSocket listener;
    private Http2Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        listener = (SSLServerSocket) authority
                .client(authority.issue("localhost", "localhost"))
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(10_000);
        Path ca = authority.write(folder.resolve("ca.pem"));
        var tls = new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), "localhost", List.of());
        URI url = URI.create("https://127.0.0.1:" + listener.getLocalPort());
        gateway = Http2Gateway.inFrontOf(
                OneRoute.to(new TargetDefinition(url, 1, Optional.of(tls), UpstreamProtocol.AUTO)));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        listener.close();
    }

    /// Answers one request on a connection of its own, and closes that.
    private void serve() throws IOException {
        RawConnection client = gateway.plain().send(GET);
        var socket = (SSLSocket) listener.accept();
        socket.setHandshakeApplicationProtocolSelector((_, protocols) -> {
            offered.add(List.copyOf(protocols));
            return "http/1.1";
        });
        try (RawConnection server = new RawConnection(socket)) {
            assertThat(server.readHead()).startsWith("GET /x HTTP/1.1\r\n");
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
            assertThat(client.readAnswer()).endsWith("hello");
        }
        while (!gateway.dataPlane().upstreamPools().isEmpty()) { // until the close is noticed
            assertThat(Thread.currentThread().isInterrupted()).as("late").isFalse();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void is_forgotten_with_its_last_connection_and_yet_not_asked_again() throws IOException {
        serve();
        serve();

        assertThat(offered).containsExactly(List.of("h2", "http/1.1"), List.of("http/1.1"));
    }
}
