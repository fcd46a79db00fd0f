package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TestAuthority.Issued;
import gateway.wire.tls.TlsSettings.Engine;
import io.netty.handler.ssl.OpenSsl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What clients are told whose certificates are refused (RFC 8446 §6.2), as openssl reads it.
@Timeout(120)
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
final class RefusedClientsTest {
    private static final int CERTIFICATE_UNKNOWN = 46;

    private final Engine engine;
    private final TestAuthority authority = new TestAuthority("Followed");
    private final TestAuthority forgotten = new TestAuthority("Forgotten");
    private final Issued lost = authority.issue("lost");

    @TempDir
    Path folder;

    private PeerGateway gateway;

    RefusedClientsTest(Engine engine) {
        this.engine = engine;
    }

    @BeforeEach
    void start() {
        if (engine == Engine.OPENSSL)
            assumeTrue(OpenSsl.isAvailable(), () -> "no library: " + OpenSsl.unavailabilityCause());
        Path authorities = TestAuthority.write(
                folder.resolve("authorities.pem"), authority.certificate(), forgotten.certificate());
        Path lists = TestAuthority.write(
                folder.resolve("lists.pem"),
                authority.revoke(Duration.ofDays(1), lost.certificate()),
                forgotten.revoke(Duration.ofHours(-1)));
        Path own = authority.issue("localhost", "localhost").write(folder.resolve("own.pem"));
        var settings = Map.of(
                "GATEWAY_TLS_LISTEN", "127.0.0.1:0",
                "GATEWAY_TLS_ENGINE", engine.name().toLowerCase(Locale.ROOT),
                "GATEWAY_TLS_CERTIFICATES", own.toString(),
                "GATEWAY_TLS_CLIENT_AUTH", "required",
                "GATEWAY_TLS_CLIENT_CA", authorities.toString(),
                "GATEWAY_TLS_CLIENT_CRL", lists.toString());
        gateway = PeerGateway.start(
                folder.resolve("data"), settings, "{\"targets\": [{\"url\": \"http://127.0.0.1:1\"}]}");
    }

    @AfterEach
    void stop() {
        if (gateway != null) gateway.close();
    }

    /// The JDK has one alert for all of them.
    @ParameterizedTest
    @CsvSource({
        "REVOKED, -tls1_2, 44", "REVOKED, -tls1_3, 44",
        "EXPIRED, -tls1_2, 45", "EXPIRED, -tls1_3, 45",
        "OF_A_LIST_THAT_RAN_OUT, -tls1_2, 45", "OF_A_LIST_THAT_RAN_OUT, -tls1_3, 45",
        "OF_NOBODY_KNOWN, -tls1_2, 48", "OF_NOBODY_KNOWN, -tls1_3, 48"
    })
    void a_client_is_told_what_is_wrong_with_its_certificate(Refused why, String version, int boringssl) {
        String file = shown(why).write(folder.resolve("client.pem")).toString();

        ProgramEnd end = ProgramEnd.of(
                "",
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + gateway.securePort(),
                "-cert",
                file,
                "-key",
                file,
                "-ign_eof",
                version);

        assertThat(end.output())
                .containsPattern(
                        "SSL alert number " + (engine == Engine.JDK ? CERTIFICATE_UNKNOWN : boringssl) + "\\b");
    }

    private enum Refused {
        REVOKED,
        EXPIRED,
        OF_A_LIST_THAT_RAN_OUT,
        OF_NOBODY_KNOWN
    }

    private Issued shown(Refused why) {
        return switch (why) {
            case REVOKED -> lost;
            case EXPIRED -> authority.issue("EC", Duration.ofDays(-1), "expired");
            case OF_A_LIST_THAT_RAN_OUT -> forgotten.issue("any");
            case OF_NOBODY_KNOWN -> new TestAuthority("Nobody").issue("any");
        };
    }
}
