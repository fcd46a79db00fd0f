package gateway.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityReaderTest {
    private static final Optional<Secret> PASSWORD = Optional.of(new Secret("correct horse"));
    private static final TestAuthority AUTHORITY = new TestAuthority();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void reads_chain_and_key_of_one_file_in_the_key_s_traditional_form(String keyType) {
        var issued = AUTHORITY.issue(keyType, Duration.ofDays(1), "a", "a.example", "*.b.example");
        Path file = TestAuthority.write(
                folder.resolve("both.pem"),
                issued.certificate(),
                AUTHORITY.certificate(),
                issued.keys().getPrivate());

        Identity read = IdentityReader.read(file, Optional.empty(), Optional.empty());

        assertThat(read.chain()).containsExactly(issued.certificate(), AUTHORITY.certificate());
        assertThat(read.key().getEncoded()).isNotEmpty();
        assertThat(read.names()).containsExactly("a.example", "*.b.example");
        assertThat(read.keyType()).isEqualTo(keyType);
        assertThat(read.expires()).isEqualTo(issued.certificate().getNotAfter().toInstant());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void reads_pkcs8_keys_apart_from_the_chain_and_in_a_folder_of_kubernetes(String keyType) throws IOException {
        var issued = AUTHORITY.issue(keyType, Duration.ofDays(1), "a");
        Path chain = TestAuthority.write(folder.resolve("tls.crt"), issued.certificate());
        Path key = TestAuthority.write(
                folder.resolve("tls.key"), new JcaPKCS8Generator(issued.keys().getPrivate(), null).generate());

        assertThat(Files.readString(key)).startsWith("-----BEGIN PRIVATE KEY");
        assertThat(IdentityReader.read(chain, Optional.of(key), Optional.empty())
                        .key())
                .isEqualTo(issued.keys().getPrivate());
        assertThat(IdentityReader.read(folder, Optional.empty(), Optional.empty())
                        .key())
                .isEqualTo(issued.keys().getPrivate());
    }

    @Test
    void reads_an_encrypted_key_with_its_password_only() throws Exception {
        var issued = AUTHORITY.issue("a");
        var encryptor = new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                .setProvider(new BouncyCastleProvider())
                .setPassword("correct horse".toCharArray())
                .build();
        Path file = TestAuthority.write(
                folder.resolve("a.pem"),
                issued.certificate(),
                new PKCS8Generator(
                        PrivateKeyInfo.getInstance(issued.keys().getPrivate().getEncoded()), encryptor));

        assertThat(IdentityReader.read(file, Optional.empty(), PASSWORD).key())
                .isEqualTo(issued.keys().getPrivate());
        assertThatThrownBy(() -> IdentityReader.read(file, Optional.empty(), Optional.empty()))
                .hasMessageMatching(".*a.pem line \\d+: the key is encrypted and no password is set");
        assertThatThrownBy(() -> IdentityReader.read(file, Optional.empty(), Optional.of(new Secret("battery"))))
                .hasMessageMatching(".*a.pem line \\d+: the key cannot be decrypted with the password");
    }

    @Test
    void reads_a_pkcs12_store() throws Exception {
        var issued = AUTHORITY.issue("a", "a.example");
        Path file = folder.resolve("a.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("any", issued.keys().getPrivate(), "correct horse".toCharArray(), new Certificate[] {
            issued.certificate(), AUTHORITY.certificate()
        });
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "correct horse".toCharArray());
        }

        Identity read = IdentityReader.read(file, Optional.empty(), PASSWORD);

        assertThat(read.chain()).containsExactly(issued.certificate(), AUTHORITY.certificate());
        assertThatThrownBy(() -> IdentityReader.read(file, Optional.empty(), Optional.empty()))
                .hasMessageEndingWith("a.p12: no PKCS#12 store, or the password is not its");
    }

    @Test
    void refuses_what_is_wrong_by_file_and_place_and_never_tells_what_is_in_it() throws IOException {
        var issued = AUTHORITY.issue("a");
        var other = AUTHORITY.issue("b");
        Path file = folder.resolve("a.pem");

        refuses(file, "there is no such file");
        Files.writeString(file, "hello");
        refuses(file, "holds no certificate");
        TestAuthority.write(file, issued.certificate());
        refuses(file, "holds no private key");
        TestAuthority.write(file, issued.certificate(), other.keys().getPrivate());
        refuses(file, "the key is not that of the first certificate");
        TestAuthority.write(
                file, issued.certificate(), other.certificate(), issued.keys().getPrivate());
        refuses(file, "certificate 2 is not the issuer of certificate 1");
        Files.writeString(file, "\n-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n");
        refuses(file, "line 2: the block is not base64");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        refuses(file, "line 1: the certificate is broken");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n");
        refuses(file, "line 1: the block has no end");
        TestAuthority.write(file, issued.certificate());
        Files.writeString(
                file, Files.readString(file) + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        refuses(file, "the key is neither RSA nor EC nor EdDSA, or is broken");
    }

    private static void refuses(Path file, String why) {
        assertThatThrownBy(() -> IdentityReader.read(file, Optional.empty(), Optional.empty()))
                .isInstanceOf(TlsFileException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageEndingWith(why);
    }
}
