package gateway.app.proxy;

import static gateway.app.proxy.CallingProxy.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.InvalidConfigException;
import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import gateway.service.CallTarget;
import gateway.wire.tls.TestAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Calls over TLS, and each way in which it can fail.
@Timeout(60)
final class CallsTlsTest {
    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private SecureUpstream server;
    private CallingProxy proxy;

    @BeforeEach
    void start() throws Exception {
        server = new SecureUpstream(authority, authority.issue("idp", "idp.example"));
        proxy = new CallingProxy();
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        server.close();
    }

    @Test
    void a_server_of_the_authority_is_called_by_its_name() {
        assertThat(called("idp.example", authority)).isEqualTo("answered 200");
    }

    @Test
    void another_name_is_told_from_another_authority_and_another_key() {
        assertThat(called("elsewhere.example", authority)).isEqualTo("tls-name");
        assertThat(called("127.0.0.1", authority)).isEqualTo("tls-name");
        assertThat(called("idp.example", new TestAuthority())).isEqualTo("tls-certificate");
        assertThat(called(tls("idp.example", authority, List.of("00".repeat(32)))))
                .isEqualTo("tls-pin");
    }

    @Test
    void a_certificate_that_is_no_longer_in_force_is_told_as_such() throws Exception {
        try (var expired =
                new SecureUpstream(authority, authority.issue("EC", Duration.ofSeconds(-1), "idp", "idp.example"))) {
            var target = new CallTarget(
                    URI.create(expired.url()),
                    Optional.of(tls("idp.example", authority, List.of())),
                    UpstreamProtocol.HTTP1,
                    Duration.ofSeconds(20));

            assertThat(reason(proxy.calls.to(target, ""))).isEqualTo("tls-certificate");
        }
    }

    @Test
    void a_server_that_does_not_speak_tls_breaks_the_handshake() throws Exception {
        try (var plain = new RecordingUpstream()) {
            var target = CallTarget.of(URI.create(plain.url().replace("http:", "https:")));

            assertThat(reason(proxy.calls.to(target, ""))).isEqualTo("tls-handshake");
        }
    }

    @Test
    void a_file_that_is_not_there_is_refused_under_its_pointer() {
        var tls = new UpstreamTls(
                Optional.of(folder.resolve("gone.pem")), Optional.empty(), Optional.empty(), "idp.example", List.of());

        assertThatThrownBy(() -> called(tls))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        refused -> assertThat(refused.problems().getFirst().pointer())
                                .isEqualTo("/target/tls/ca"));
    }

    private String called(String serverName, TestAuthority trusted) {
        return called(tls(serverName, trusted, List.of()));
    }

    private String called(UpstreamTls tls) {
        var target = new CallTarget(
                URI.create(server.url()), Optional.of(tls), UpstreamProtocol.HTTP1, Duration.ofSeconds(20));
        return reason(proxy.calls.to(target, "/target"));
    }

    private UpstreamTls tls(String serverName, TestAuthority trusted, List<String> pins) {
        Path ca = trusted.write(folder.resolve("ca-" + System.identityHashCode(trusted) + ".pem"));
        return new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), serverName, pins);
    }
}
