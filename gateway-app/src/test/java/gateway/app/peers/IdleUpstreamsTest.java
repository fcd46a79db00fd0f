package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.RawConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Servers that close idle connections soon, just when the gateway sends the next request on them.
@Timeout(120)
final class IdleUpstreamsTest {
    private static final int ROUNDS = 200;
    private static final String IDLE = "20";

    @TempDir
    private Path root;

    /// A server that keeps an idle connection for 20 ms, or takes two requests of each.
    enum Impatient {
        NODE,
        GO,
        NGINX,
        NGINX_FEW_REQUESTS;

        String start(Peers peers) {
            return switch (this) {
                case NODE ->
                    peers.add(PeerEchoServer.node(peers.folder(), IDLE)).place();
                case GO -> peers.add(PeerEchoServer.go(peers.folder(), IDLE)).place();
                case NGINX -> nginx(peers, "keepalive_timeout 20ms;");
                case NGINX_FEW_REQUESTS -> nginx(peers, "keepalive_requests 2;");
            };
        }

        private static String nginx(Peers peers, String how) {
            String http = how + " server { listen 127.0.0.1:{port}; location / { return 200 hello; } }";
            return peers.add(Nginx.start(peers.folder(), http)).place();
        }
    }

    @ParameterizedTest
    @EnumSource
    void idempotent_requests_never_meet_a_closed_connection(Impatient server) throws IOException {
        try (var peers = new Peers(root)) {
            PeerGateway gateway = peers.gateway(server.start(peers));
            try (RawConnection client = RawConnection.to(gateway.address())) {
                for (int i = 0; i < ROUNDS; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.readAnswer()).as("request %d", i).startsWith("HTTP/1.1 200 ");
                    LockSupport.parkNanos(17_000_000 + i % 8 * 1_000_000);
                }
            }
        }
    }
}
