package gateway.policies.cryptography;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;

final class CryptographyTest {
    private static final String MISFIT = "/native/corretto-linux-"
            + (System.getProperty("os.arch").equals("aarch64") ? "x86_64" : "aarch_64")
            + ".jar";
    private static final byte[] CONTENT = "what is signed".getBytes(StandardCharsets.UTF_8);

    /// What we sign and verify by, and what the keys of it are made by.
    private record Kind(String algorithm, String family, Optional<AlgorithmParameterSpec> curve) {
        KeyPair pair() throws Exception {
            var generator = KeyPairGenerator.getInstance(family);
            if (curve.isPresent()) generator.initialize(curve.get());
            return generator.generateKeyPair();
        }

        Signature by(Cryptography cryptography) throws Exception {
            Signature signature = cryptography.signature(algorithm);
            if (algorithm.equals("RSASSA-PSS")) {
                signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            return signature;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("SHA256withRSA", "RSA", Optional.empty()),
            new Kind("RSASSA-PSS", "RSA", Optional.empty()),
            new Kind("SHA256withECDSAinP1363Format", "EC", Optional.of(new ECGenParameterSpec("secp256r1"))),
            new Kind("SHA384withECDSAinP1363Format", "EC", Optional.of(new ECGenParameterSpec("secp384r1"))),
            new Kind("SHA512withECDSAinP1363Format", "EC", Optional.of(new ECGenParameterSpec("secp521r1"))),
            new Kind("Ed25519", "Ed25519", Optional.empty()));

    @Test
    void what_one_signs_the_other_verifies() throws Exception {
        Cryptography jdk = Cryptography.choose("jdk", CorrettoLibrary.jarOfMachine());
        Cryptography corretto = corretto();
        for (Kind kind : KINDS) {
            KeyPair pair = kind.pair();
            for (Cryptography signer : List.of(jdk, corretto)) {
                byte[] signature = signature(kind.by(signer), pair.getPrivate());
                assertThat(signature(kind.by(signer), signer.ready(PrivateKey.class, pair.getPrivate())))
                        .as(kind.algorithm())
                        .satisfies(again -> assertThat(holds(kind.by(jdk), pair.getPublic(), again))
                                .isTrue());
                for (Cryptography verifier : List.of(jdk, corretto)) {
                    PublicKey ready = verifier.ready(PublicKey.class, pair.getPublic());
                    assertThat(ready).as("the same key").isEqualTo(pair.getPublic());
                    assertThat(holds(kind.by(verifier), ready, signature))
                            .as(kind.algorithm())
                            .isTrue();
                    assertThat(holds(kind.by(verifier), pair.getPublic(), signature))
                            .as(kind.algorithm())
                            .isTrue();
                    assertThat(holds(kind.by(verifier), kind.pair().getPublic(), signature))
                            .as(kind.algorithm())
                            .isFalse();
                    for (byte[] wrong : List.of(flipped(signature), new byte[0], new byte[signature.length])) {
                        assertThat(holds(kind.by(verifier), pair.getPublic(), wrong))
                                .as(kind.algorithm())
                                .isFalse();
                    }
                }
            }
        }
    }

    @Test
    void what_one_closes_the_other_opens() throws Exception {
        Cryptography jdk = Cryptography.choose("jdk", CorrettoLibrary.jarOfMachine());
        Cryptography corretto = corretto();
        KeyPair pair = KINDS.getFirst().pair();
        byte[] key = "sixteen bytes...".getBytes(StandardCharsets.UTF_8);
        for (String digest : List.of("SHA-1", "SHA-256", "SHA-384", "SHA-512")) {
            for (String mask : List.of("SHA-1", digest)) {
                var transport = new KeyTransport(digest, mask);
                for (Cryptography sender : List.of(jdk, corretto)) {
                    byte[] closed = transport
                            .cipher(sender, Cipher.ENCRYPT_MODE, pair.getPublic())
                            .doFinal(key);
                    for (Cryptography recipient : List.of(jdk, corretto)) {
                        PrivateKey ours = recipient.ready(PrivateKey.class, pair.getPrivate());
                        Cipher opening = transport.cipher(recipient, Cipher.DECRYPT_MODE, ours);
                        assertThat(opening.doFinal(closed))
                                .as(transport.toString())
                                .isEqualTo(key);
                        for (byte[] wrong : List.of(flipped(closed), new byte[0], new byte[closed.length]))
                            assertThatThrownBy(() -> opening.doFinal(wrong))
                                    .as(transport.toString())
                                    .isInstanceOf(GeneralSecurityException.class);
                    }
                }
            }
        }
    }

    @Test
    void the_process_has_what_the_property_chooses_and_no_other_provider_of_everything() throws Exception {
        boolean chosen = !System.getProperty(Cryptography.CHOICE, "native").equals("jdk");
        if (chosen) corretto(); // or there is none for this machine

        assertThat(Cryptography.ofProcess().provider().isPresent()).isEqualTo(chosen);
        assertThat(Cryptography.ofProcess().isSlow(KeyKind.P256)).isNotEqualTo(chosen);
        assertThat(Security.getProviders()).noneMatch(each -> each.getName().equals("AmazonCorrettoCryptoProvider"));
    }

    @Test
    void the_jdk_serves_where_no_library_loads() throws Exception {
        for (var jar : List.of(Optional.of(MISFIT), Optional.of("/native/none.jar"), Optional.<String>empty())) {
            Cryptography found = Cryptography.choose("native", jar);

            assertThat(found.provider()).as(jar.toString()).isEmpty();
            assertThat(found.isSlow(KeyKind.ED25519)).isTrue();
            assertThat(found.signature("Ed25519").getProvider().getName()).isEqualTo("SunEC");
        }
        assertThatThrownBy(() -> CorrettoLibrary.load("/native/none.jar"))
                .isInstanceOfSatisfying(
                        CorrettoException.class, e -> assertThat(e.reason()).endsWith("/native/none.jar"));
    }

    @Test
    void leaves_no_file_behind() throws Exception {
        Set<String> before = copies();

        Cryptography.choose("native", CorrettoLibrary.jarOfMachine());
        Cryptography.choose("native", Optional.of(MISFIT));
        Cryptography.choose("native", Optional.of("/native/none.jar"));

        assertThat(copies()).isEqualTo(before);
    }

    @Test
    void keys_that_only_one_of_the_two_would_take_are_taken_by_none() throws Exception {
        var usual = (RSAPublicKey) KINDS.getFirst().pair().getPublic();
        BigInteger exponent = BigInteger.TWO.pow(33).add(BigInteger.ONE);
        PublicKey odd =
                KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(usual.getModulus(), exponent));

        assertThat(PublicKeys.of(usual, "", "")).isPresent();
        assertThat(PublicKeys.of(odd, "", "")).isEmpty();
    }

    private static Cryptography corretto() {
        Optional<String> jar = CorrettoLibrary.jarOfMachine();
        assumeTrue(jar.isPresent(), "no native cryptography for " + System.getProperty("os.arch"));
        Cryptography found = Cryptography.choose("native", jar);
        assumeTrue(found.provider().isPresent(), "native cryptography does not load here");
        return found;
    }

    private static Set<String> copies() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith("gateway-corretto"))
                    .collect(Collectors.toSet());
        }
    }

    private static byte[] signature(Signature by, PrivateKey key) throws Exception {
        by.initSign(key);
        by.update(CONTENT);
        return by.sign();
    }

    private static boolean holds(Signature by, PublicKey key, byte[] signature) throws Exception {
        try {
            by.initVerify(key);
            by.update(CONTENT);
            return by.verify(signature);
        } catch (SignatureException e) {
            return false; // of another length
        }
    }

    private static byte[] flipped(byte[] signature) {
        byte[] other = signature.clone();
        other[signature.length / 2] ^= 1;
        return other;
    }
}
