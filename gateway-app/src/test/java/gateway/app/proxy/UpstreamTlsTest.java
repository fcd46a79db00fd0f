package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.steering.Upstreams;
import gateway.config.TargetDefinition;
import gateway.json.InvalidConfigException;
import gateway.net.UpstreamTls;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TestAuthority.Issued;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Upstreams that are spoken to by TLS, over real sockets.
final class UpstreamTlsTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n";

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private final Issued server = authority.issue("orders", "orders.example");
    private Path ca;
    private SecureUpstream upstream;

    @BeforeEach
    void start() throws IOException {
        ca = authority.write(folder.resolve("ca.pem"));
        upstream = new SecureUpstream(authority, server);
    }

    @AfterEach
    void stop() {
        upstream.close();
    }

    @Test
    void a_server_of_the_authority_is_asked_by_its_name_and_kept_for_the_next_request() throws IOException {
        try (Proxy proxy = proxy(tls("orders.example"))) {
            RawConnection client = proxy.client();

            assertThat(client.send(GET).readAnswer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("orders.example from nobody 0");
            assertThat(client.send(GET).readAnswer()).startsWith("HTTP/1.1 200 ");
            assertThat(upstream.connections).containsExactly("TLSv1.3");
        }
    }

    @Test
    void a_large_upload_passes_whole() throws IOException {
        try (Proxy proxy = proxy(tls("orders.example"))) {
            String body = "0123456789abcdef".repeat(50_000);

            String answer = proxy.client()
                    .send("POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .readAnswer();

            assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith(" " + body.length());
        }
    }

    @Test
    void a_certificate_of_the_gateway_s_own_is_shown() throws IOException {
        Path own = authority.issue("gateway").write(folder.resolve("own.pem"));
        var tls = new UpstreamTls(Optional.of(ca), Optional.of(own), Optional.empty(), "orders.example", List.of());
        try (Proxy proxy = proxy(tls)) {
            assertThat(proxy.client().send(GET).readAnswer()).endsWith("from CN=gateway 0");
        }
    }

    @Test
    void another_name_another_authority_and_another_key_are_refused_with_502() throws Exception {
        Path foreign = new TestAuthority().write(folder.resolve("foreign.pem"));
        var unknown =
                new UpstreamTls(Optional.of(foreign), Optional.empty(), Optional.empty(), "orders.example", List.of());
        for (UpstreamTls wrong : List.of(
                tls("elsewhere.example"),
                tls("127.0.0.1"),
                unknown,
                UpstreamTls.to("orders.example"),
                pinned("00".repeat(32)))) {
            try (Proxy proxy = proxy(wrong)) {
                assertThat(proxy.client().send(GET).readAnswer()).startsWith("HTTP/1.1 502 ");
            }
        }
        byte[] key = MessageDigest.getInstance("SHA-256")
                .digest(server.keys().getPublic().getEncoded());
        try (Proxy proxy = proxy(pinned(HexFormat.of().formatHex(key)))) {
            assertThat(proxy.client().send(GET).readAnswer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void a_server_that_does_not_speak_tls_is_502() throws IOException {
        try (RecordingUpstream plain = new RecordingUpstream();
                Proxy proxy = Proxy.in(RequestThreadMode.IO)
                        .targets(List.of(new TargetDefinition(
                                URI.create(plain.url().replace("http:", "https:")), 1, Optional.of(tls("a.example")))))
                        .start()) {
            assertThat(proxy.client().send(GET).readAnswer()).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void a_file_that_cannot_be_used_refuses_the_definition_under_its_pointer() throws IOException {
        Path oops = Files.writeString(folder.resolve("oops.pem"), "oops");
        var tls = new UpstreamTls(
                Optional.of(oops), Optional.of(folder.resolve("gone.pem")), Optional.empty(), "a", List.of());
        var definition = OneRoute.to("http://127.0.0.1:1");
        var wrong = new gateway.config.UpstreamDefinition(
                List.of(target(tls)),
                definition.balance(),
                definition.connectTimeout(),
                definition.responseTimeout(),
                definition.timeout(),
                false);

        assertThatThrownBy(() -> new Upstreams().upstreamFor(wrong))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/upstream/tls/ca: " + oops + ": holds no certificate")
                .hasMessageContaining(
                        "/upstream/tls/certificate: " + folder.resolve("gone.pem") + ": there is no such file");
    }

    private UpstreamTls tls(String serverName) {
        return new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), serverName, List.of());
    }

    private UpstreamTls pinned(String pin) {
        return new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), "orders.example", List.of(pin));
    }

    private TargetDefinition target(UpstreamTls tls) {
        return new TargetDefinition(URI.create(upstream.url()), 1, Optional.of(tls));
    }

    private Proxy proxy(UpstreamTls tls) throws IOException {
        return Proxy.in(RequestThreadMode.IO).targets(List.of(target(tls))).start();
    }
}
