package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// WebSockets to Node's server by way of the gateway and another proxy, before it or behind it.
@Timeout(60)
final class SocketsBetweenPeersTest {
    @TempDir
    private Path root;

    /// What stands between the client and the echo server.
    enum Way {
        GATEWAY,
        NGINX_BEHIND,
        HAPROXY_BEHIND,
        CADDY_BEHIND,
        NGINX_BEFORE,
        HAPROXY_BEFORE,
        CADDY_BEFORE;

        /// @param place of the echo server
        /// @return where the client calls
        String start(Peers peers, String place) {
            return switch (this) {
                case GATEWAY -> peers.gateway(place).url();
                case NGINX_BEHIND -> peers.gateway(peers.nginx(place).place()).url();
                case HAPROXY_BEHIND ->
                    peers.gateway(peers.haproxy(place).place()).url();
                case CADDY_BEHIND -> peers.gateway(peers.caddy(place).place()).url();
                case NGINX_BEFORE -> peers.nginx(peers.gateway(place).place()).url();
                case HAPROXY_BEFORE ->
                    peers.haproxy(peers.gateway(place).place()).url();
                case CADDY_BEFORE -> peers.caddy(peers.gateway(place).place()).url();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void frames_pass_both_ways_until_either_side_ends(Way way) throws IOException {
        try (var peers = new Peers(root)) {
            URI entry = URI.create(way.start(peers, peers.node().place()));
            try (FrameClient socket = FrameClient.open(entry)) {
                for (int i = 0; i < 50; i++)
                    assertThat(socket.say("message " + i)).isEqualTo("message " + i);
                assertThat(socket.end("\u0003\u00e8")).isEqualTo("\u0003\u00e8");
                assertThat(socket.isClosedByPeer()).isTrue();
            }
        }
    }
}
