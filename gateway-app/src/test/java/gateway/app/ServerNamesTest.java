package gateway.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TlsSettings.Engine;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which certificate a whole process shows for what clients ask for (SNI), whatever that is.
final class ServerNamesTest {
    private static final List<String> NO_HOSTS =
            List.of("a_b.example", "-a.example", "a b", "192.0.2.1", "2001:db8::1", "a..b", ".");

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void what_is_no_name_of_a_host_is_shown_the_first_certificate(Engine engine) throws IOException {
        if (engine == Engine.OPENSSL)
            assumeTrue(OpenSsl.isAvailable(), () -> "no library: " + OpenSsl.unavailabilityCause());
        Path first = authority.issue("first", "first.example").write(folder.resolve("first.pem"));
        Path second =
                authority.issue("second", "second.example", "*.wild.example").write(folder.resolve("second.pem"));
        try (var gateway = GatewayProcess.start(
                folder.resolve("data"),
                Map.of(
                        "GATEWAY_TLS_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_TLS_ENGINE",
                        engine.name().toLowerCase(Locale.ROOT),
                        "GATEWAY_TLS_CERTIFICATES",
                        first + "," + second))) {
            Matcher told = Pattern.compile("TLS on .*:(\\d+)").matcher(gateway.awaitLine("TLS on "));
            assertThat(told.find()).isTrue();
            int port = Integer.parseInt(told.group(1));

            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                for (String name : NO_HOSTS)
                    assertThat(shown(port, version, name)).as(name).isEqualTo("CN=first");
                assertThat(shown(port, version, "other.example")).isEqualTo("CN=first");
                assertThat(shown(port, version, "first.example")).isEqualTo("CN=first");
                assertThat(shown(port, version, "Second.Example")).isEqualTo("CN=second");
                assertThat(shown(port, version, "second.example.")).isEqualTo("CN=second"); // as in `Host`
                assertThat(shown(port, version, "a_b.wild.example")).isEqualTo("CN=second");
            }
        }
    }

    private String shown(int port, String version, String name) throws IOException {
        var loopback = InetAddress.getLoopbackAddress();
        try (var client = (SSLSocket) authority.client().getSocketFactory().createSocket(loopback, port)) {
            client.setEnabledProtocols(new String[] {version});
            var parameters = client.getSSLParameters();
            parameters.setServerNames(List.of(new SNIServerName(0, name.getBytes(US_ASCII)) {}));
            client.setSSLParameters(parameters);
            client.startHandshake();
            return ((X509Certificate) client.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }
}
