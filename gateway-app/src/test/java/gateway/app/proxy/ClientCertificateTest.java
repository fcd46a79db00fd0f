package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TestAuthority.Issued;
import gateway.wire.tls.TlsFilesException;
import gateway.wire.tls.TlsSettings;
import gateway.wire.tls.TlsSettings.ClientAuth;
import gateway.wire.tls.TlsSettings.Engine;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that show certificates, over real sockets, to each engine.
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
final class ClientCertificateTest {
    private static final String LAST = "GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
    private static final Policy TELLS = exchange -> Verdict.stop(Response.of(
            200,
            "text/plain",
            exchange.clientCertificate()
                    .map(shown ->
                            shown.subject().getName() + " " + shown.sha256().length())
                    .orElse("nobody")
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII)));

    private final Engine engine;

    ClientCertificateTest(Engine engine) {
        this.engine = engine;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void where_a_certificate_is_required_nobody_comes_in_without(String version) throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, false)) {
            assertThat(exchange(gateway, version, gateway.authority.issue("billing")))
                    .endsWith("CN=billing 64");
            assertThatThrownBy(() -> exchange(gateway, version)).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void where_it_is_optional_all_come_in_but_those_with_a_bad_one(String version) throws IOException {
        try (SecureGateway gateway = start(ClientAuth.OPTIONAL, false)) {
            assertThat(exchange(gateway, version)).endsWith("nobody");
            assertThat(exchange(gateway, version, gateway.authority.issue("billing")))
                    .endsWith("CN=billing 64");

            Issued expired = gateway.authority.issue("EC", Duration.ofDays(-1), "expired");
            assertThatThrownBy(() -> exchange(gateway, version, expired)).isInstanceOf(IOException.class);
            Issued foreign = new TestAuthority().issue("billing"); // of an authority by the same name
            assertThatThrownBy(() -> exchange(gateway, version, foreign)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void in_the_clear_there_is_no_certificate() throws IOException {
        try (SecureGateway gateway = start(ClientAuth.OPTIONAL, false);
                var client = RawConnection.to(gateway.dataPlane().address())) {
            assertThat(client.send(LAST).readToEnd()).endsWith("nobody");
        }
    }

    @Test
    void a_revoked_certificate_is_not_let_in_from_the_reload_on_that_reads_the_list() throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, true)) {
            Issued lost = gateway.authority.issue("lost");
            assertThat(exchange(gateway, "TLSv1.3", lost)).endsWith("CN=lost 64");

            TestAuthority.write(
                    gateway.folder.resolve("revoked.crl"),
                    gateway.authority.revoke(Duration.ofDays(1), lost.certificate()));
            gateway.tls.reload();

            assertThatThrownBy(() -> exchange(gateway, "TLSv1.3", lost)).isInstanceOf(IOException.class);
            assertThat(exchange(gateway, "TLSv1.3", gateway.authority.issue("kept")))
                    .endsWith("CN=kept 64");
        }
    }

    @Test
    void a_list_that_has_run_out_lets_nobody_in() throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, true)) {
            TestAuthority.write(gateway.folder.resolve("revoked.crl"), gateway.authority.revoke(Duration.ofHours(-1)));
            gateway.tls.reload();

            assertThatThrownBy(() -> exchange(gateway, "TLSv1.3", gateway.authority.issue("any")))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void a_session_is_not_resumed_when_the_list_has_run_out_since(String version) throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, true)) {
            SSLContext client = gateway.authority.client(gateway.authority.issue("EC", Duration.ofDays(30), "any"));
            assertThat(exchange(gateway, version, client)).endsWith("CN=any 64");
            assertThat(exchange(gateway, version, client)).endsWith("CN=any 64");

            gateway.ahead = Duration.ofDays(2);

            assertThat(leftWith(gateway, version, client)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void a_session_is_not_resumed_with_a_certificate_that_has_expired_since(String version) throws IOException {
        try (SecureGateway gateway = start(ClientAuth.OPTIONAL, false)) {
            SSLContext client = gateway.authority.client(gateway.authority.issue("EC", Duration.ofDays(30), "any"));
            assertThat(exchange(gateway, version, client)).endsWith("CN=any 64");

            gateway.ahead = Duration.ofDays(31);

            assertThat(leftWith(gateway, version, client)).isEmpty();
            assertThat(exchange(gateway, version)).endsWith("nobody");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void a_session_is_not_resumed_below_an_authority_that_has_expired_since(String version) throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, false)) {
            TestAuthority team = gateway.authority.below(Duration.ofDays(10), "Team");
            SSLContext client = gateway.authority.client(team.issue("EC", Duration.ofDays(30), "any"));
            assertThat(exchange(gateway, version, client)).endsWith("CN=any 64");
            assertThat(exchange(gateway, version, client)).endsWith("CN=any 64");

            gateway.ahead = Duration.ofDays(11);

            assertThat(leftWith(gateway, version, client)).isEmpty();
        }
    }

    /// What comes of a connection that the gateway may close as it likes.
    private static String leftWith(SecureGateway gateway, String version, SSLContext context) {
        try {
            return exchange(gateway, version, context);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void a_list_that_no_trusted_authority_has_signed_is_refused() throws IOException {
        try (SecureGateway gateway = start(ClientAuth.REQUIRED, true)) {
            TestAuthority.write(gateway.folder.resolve("revoked.crl"), new TestAuthority().revoke(Duration.ofDays(1)));

            assertThatThrownBy(gateway.tls::reload)
                    .isInstanceOf(TlsFilesException.class)
                    .hasMessageContaining(
                            "revoked.crl: the list of CN=Test authority is signed by no trusted authority");
        }
    }

    private SecureGateway start(ClientAuth clientAuth, boolean withList) throws IOException {
        return new SecureGateway(
                (own, usual) -> {
                    var list = own.folder.resolve("revoked.crl");
                    if (withList) TestAuthority.write(list, own.authority.revoke(Duration.ofDays(1)));
                    return new TlsSettings(
                            SecureGateway.by(engine, usual).certificates(),
                            usual.password(),
                            usual.oldest(),
                            clientAuth,
                            usual.clientCa(),
                            withList ? Optional.of(list) : Optional.empty(),
                            usual.http2(),
                            engine);
                },
                plane -> plane,
                TELLS);
    }

    private static String exchange(SecureGateway gateway, String version, Issued... own) throws IOException {
        return exchange(gateway, version, gateway.authority.client(own));
    }

    private static String exchange(SecureGateway gateway, String version, SSLContext context) throws IOException {
        SSLSocket client = gateway.socket(context, "a.example");
        client.setEnabledProtocols(new String[] {version});
        return SecureGateway.exchange(client, LAST);
    }
}
