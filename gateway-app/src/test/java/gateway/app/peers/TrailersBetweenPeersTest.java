package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Trailers to and from servers that others wrote. nginx 1.22 and Caddy 2.6 leave them out.
@Timeout(60)
final class TrailersBetweenPeersTest {
    @TempDir
    private Path root;

    /// Where the gateway leads.
    enum To {
        NODE,
        GO,
        HAPROXY;

        String start(Peers peers) {
            return switch (this) {
                case NODE -> peers.node().place();
                case GO -> peers.add(PeerEchoServer.go(peers.folder())).place();
                case HAPROXY -> peers.haproxy(peers.node().place()).place();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_trailer_of_the_request_comes_back_as_one_of_the_answer(To to) throws IOException {
        try (var peers = new Peers(root)) {
            PeerGateway gateway = peers.gateway(to.start(peers));
            try (RawConnection client = RawConnection.to(gateway.address())) {
                client.send(Http.head("POST /echo HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Trailer: X-Sum"))
                        .send("5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n");

                assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
                assertThat(client.readChunked()).isEqualTo("hello");
                assertThat(client.readHead()).isEqualToIgnoringCase("X-Sum: 42\r\n\r\n");
            }
        }
    }
}
