package gateway.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.tls.TlsSettings.ClientAuth;
import gateway.wire.tls.TlsSettings.Engine;
import gateway.wire.tls.TlsSettings.Version;
import io.netty.handler.ssl.OpenSsl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EngineChoiceTest {
    private final TestAuthority authority = new TestAuthority();

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void the_library_loads_where_the_image_runs() {
        assertThat(OpenSsl.isAvailable())
                .withFailMessage(() -> String.valueOf(OpenSsl.unavailabilityCause()))
                .isTrue();
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void boringssl_is_taken_for_keys_of_either_usual_kind_unless_the_jdk_is_asked_for() {
        IdentityTable table = table(issue("EC", "a.example"), issue("RSA", "b.example"));

        assertThat(chosen(Engine.AUTO, table)).isEqualTo("BoringSSL");
        assertThat(chosen(Engine.OPENSSL, table)).isEqualTo("BoringSSL");
        assertThat(chosen(Engine.JDK, table)).isEqualTo("the JDK");
    }

    @ParameterizedTest
    @EnumSource
    void one_name_with_keys_of_both_kinds_is_left_to_the_jdk(Engine engine) {
        assertThat(chosen(engine, table(issue("EC", "a.example"), issue("RSA", "b.example", "a.example"))))
                .isEqualTo("the JDK");
    }

    @ParameterizedTest
    @EnumSource
    void keys_of_other_kinds_are_left_to_the_jdk(Engine engine) {
        assertThat(chosen(engine, table(issue("EC", "a.example"), issue("Ed25519", "b.example"))))
                .isEqualTo("the JDK");
    }

    private Identity issue(String keyType, String... names) {
        TestAuthority.Issued issued = authority.issue(keyType, Duration.ofDays(1), names[0], names);
        return new Identity(
                Path.of(names[0] + ".pem"),
                List.of(issued.certificate()),
                issued.keys().getPrivate());
    }

    private static IdentityTable table(Identity... identities) {
        return new IdentityTable(Arrays.asList(identities));
    }

    private static String chosen(Engine engine, IdentityTable table) {
        var settings = new TlsSettings(
                List.of(),
                Optional.empty(),
                Version.TLS_1_2,
                ClientAuth.OFF,
                Optional.empty(),
                Optional.empty(),
                false,
                engine);
        return EngineChoice.of(settings, table, Optional.empty()).toString();
    }
}
