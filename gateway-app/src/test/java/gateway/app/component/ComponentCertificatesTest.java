package gateway.app.component;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TestAuthority.Issued;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of a member that show certificates, over sockets.
final class ComponentCertificatesTest {
    private final TestAuthority authority = new TestAuthority();
    private final Issued bySubject = authority.issue("gateway");
    private final Issued byDigest = authority.issue("another");

    @TempDir
    private Path data;

    private int port;
    private OwnComponent component;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.take();
        Path chain = authority.issue("localhost", "localhost").write(data.resolve("server.pem"));
        String digest = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256")
                        .digest(byDigest.certificate().getEncoded()));
        var more = new HashMap<>(Map.of(
                "GATEWAY_TLS_LISTEN",
                "127.0.0.1:" + port,
                "GATEWAY_TLS_CERTIFICATES",
                chain.toString(),
                "GATEWAY_TLS_CLIENT_AUTH",
                "optional",
                "GATEWAY_TLS_CLIENT_CA",
                authority.write(data.resolve("ca.pem")).toString(),
                "GATEWAY_CACHE_CLIENTS",
                "CN=gateway," + digest,
                "GATEWAY_CACHE_TOKENS",
                ""));
        component = OwnComponent.start(data, InstantSource.system(), more);
    }

    @AfterEach
    void stop() {
        component.close();
    }

    @Test
    void who_shows_a_known_certificate_needs_no_token() throws Exception {
        assertThat(put(bySubject)).isEqualTo(204);
        assertThat(put(byDigest)).isEqualTo(204);
    }

    @Test
    void who_shows_none_or_that_of_somebody_else_may_not() throws Exception {
        assertThat(put()).isEqualTo(401);
        assertThat(put(authority.issue("gateway2"))).isEqualTo(401);
        assertThat(component.get("/cache/a/k").statusCode()).isEqualTo(401); // in the clear
    }

    private int put(Issued... shown) throws IOException, InterruptedException {
        try (var client =
                HttpClient.newBuilder().sslContext(authority.client(shown)).build()) {
            var request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/cache/a/k"))
                    .header("X-TTL", "60")
                    .PUT(HttpRequest.BodyPublishers.ofString("text"))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
