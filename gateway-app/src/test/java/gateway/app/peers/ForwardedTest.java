package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the upstream is told of the client when other proxies stand before the gateway. The client calls from
/// 127.0.0.1, and claims to be another.
@Timeout(60)
final class ForwardedTest {
    private static final Map<String, String> TRUSTING = Map.of("GATEWAY_TRUSTED_PROXIES", "127.0.0.1");
    private static final Map<String, String> SPOKEN_FOR = Map.of("GATEWAY_PROXY_PROTOCOL", "127.0.0.1");

    @TempDir
    private Path root;

    private Peers peers;
    private String echo;

    @BeforeEach
    void start() {
        peers = new Peers(root);
        echo = peers.node().place();
    }

    @AfterEach
    void stop() {
        peers.close();
    }

    /// The fields that reach the upstream of a request to `url`.
    private static String fields(String url) throws IOException {
        URI entry = URI.create(url);
        try (RawConnection client = RawConnection.to(new InetSocketAddress(entry.getHost(), entry.getPort()))) {
            client.send(Http.head("GET /fields HTTP/1.1", "Host: a.example", "X-Forwarded-For: 203.0.113.9"));
            return Http.body(client.readAnswer());
        }
    }

    private String forwardedFor(String url) throws IOException {
        return String.join(" | ", Http.all(fields(url), "X-Forwarded-For"));
    }

    @Test
    void a_stranger_s_claims_go_no_further_and_a_trusted_proxy_s_do() throws IOException {
        PeerGateway strict = peers.gateway(echo);
        PeerGateway trusting = peers.gateway(echo, TRUSTING);

        assertThat(forwardedFor(strict.url())).isEqualTo("127.0.0.1");
        assertThat(forwardedFor(peers.nginx(strict.place()).url())).isEqualTo("127.0.0.1");
        assertThat(forwardedFor(peers.nginx(trusting.place()).url())).isEqualTo("203.0.113.9, 127.0.0.1, 127.0.0.1");
        assertThat(forwardedFor(peers.haproxy(trusting.place()).url()))
                .as("HAProxy adds a line of its own")
                .isEqualTo("203.0.113.9, 127.0.0.1, 127.0.0.1");
    }

    @Test
    void caddy_s_fields_are_believed_by_http_2_too() throws IOException {
        PeerGateway trusting =
                peers.gateway(echo, Map.of("GATEWAY_TRUSTED_PROXIES", "127.0.0.1", "GATEWAY_HTTP2", "all"));

        assertThat(fields(peers.caddy("h2c://" + trusting.place()).url()))
                .startsWith("HTTP/1.1\n")
                .contains("x-forwarded-for: 127.0.0.1, 127.0.0.1", "x-forwarded-host: a.example");
    }

    @Test
    void whom_the_proxy_protocol_names_is_the_client() throws IOException {
        PeerGateway gateway = peers.gateway(echo, SPOKEN_FOR);

        for (String version : new String[] {"send-proxy", "send-proxy-v2"}) {
            String url = peers.haproxy(gateway.place() + " " + version).url();

            assertThat(forwardedFor(url)).as(version).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void who_speaks_for_nobody_is_closed() throws IOException {
        PeerGateway gateway = peers.gateway(echo, SPOKEN_FOR);
        URI entry = URI.create(peers.haproxy(gateway.place()).url());

        try (RawConnection client = RawConnection.to(new InetSocketAddress(entry.getHost(), entry.getPort()))) {
            assertThat(client.send(Http.head("GET /fields HTTP/1.1", "Host: a")).readHead())
                    .as("HAProxy's own answer")
                    .startsWith("HTTP/1.1 502 ");
        }
    }
}
