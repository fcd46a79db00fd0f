package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TargetDefinition;
import gateway.net.IpRanges;
import gateway.net.UpstreamTls;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// WebSockets by TLS on either side, between the JDK's client and Undertow's server.
final class SecureWebSocketTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    private Path folder;

    @Test
    void messages_pass_from_a_client_by_tls() throws Exception {
        try (var server = new EchoSocketServer();
                SecureGateway gateway = inFrontOf(server.url());
                WebSocketClient client = WebSocketClient.secure(gateway.authority.client(), gateway.port(), "/chat")) {
            assertThat(gateway.dataPlane().webSockets()).isOne();
            exchangeAll(client);
        }
    }

    @Test
    void messages_pass_to_an_upstream_by_tls() throws Exception {
        var authority = new TestAuthority();
        Path ca = authority.write(folder.resolve("ca.pem"));
        var tls = new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), "echo.example", List.of());
        try (var server = EchoSocketServer.secure(authority.client(authority.issue("e", "echo.example")));
                Proxy proxy = Proxy.in(RequestThreadMode.IO)
                        .targets(List.of(new TargetDefinition(URI.create(server.url()), 1, Optional.of(tls))))
                        .start();
                WebSocketClient client =
                        WebSocketClient.to(proxy.dataPlane().address().getPort(), "/chat")) {
            exchangeAll(client);
        }
    }

    private static void exchangeAll(WebSocketClient client) throws InterruptedException {
        byte[] large = new byte[3 * MIB];
        new Random(7).nextBytes(large);

        assertThat(client.text("hello").next()).isEqualTo("hello");
        client.socket().sendBinary(ByteBuffer.wrap(large), true).join();
        assertThat(client.next()).isEqualTo(large);
        for (int i = 0; i < 100; i++) client.text("message " + i);
        for (int i = 0; i < 100; i++) assertThat(client.next()).isEqualTo("message " + i);
        client.socket().sendClose(1000, "done").join();
        assertThat(client.next()).isEqualTo(1000);
    }

    private static SecureGateway inFrontOf(String url) throws IOException {
        return new SecureGateway(
                (gateway, usual) -> {
                    gateway.authority.issue("localhost", "localhost").write(gateway.folder.resolve("a.pem"));
                    return usual;
                },
                same -> same,
                IpRanges.NONE,
                url);
    }
}
