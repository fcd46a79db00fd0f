package gateway.policies.cryptography;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads one key, or the certificate of one (RFC 7468).
public final class PemReader {
    private static final Pattern BLOCK =
            Pattern.compile("\\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----\\s*");
    private static final Pattern PRIVATE =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private PemReader() {}

    /// Empty when no token can be verified with it.
    static Optional<VerificationKey> read(String pem) {
        return key(pem).flatMap(found -> PublicKeys.of(found, "", ""));
    }

    /// The key as Java has it, strong or weak; empty when there is none.
    public static Optional<PublicKey> key(String pem) {
        Matcher block = BLOCK.matcher(pem);
        if (!block.matches()) return Optional.empty();
        try {
            byte[] content = Base64.getMimeDecoder().decode(block.group(2));
            return block.group(1).equals("CERTIFICATE") ? certified(content) : plain(content);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty(); // no certificate, no base64
        }
    }

    private static Optional<PublicKey> certified(byte[] content) throws GeneralSecurityException {
        return Optional.of(CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(content))
                .getPublicKey());
    }

    private static Optional<PublicKey> plain(byte[] content) throws GeneralSecurityException {
        var encoded = new X509EncodedKeySpec(content);
        for (String algorithm : ALGORITHMS) {
            KeyFactory factory = KeyFactory.getInstance(algorithm);
            try {
                return Optional.of(factory.generatePublic(encoded));
            } catch (GeneralSecurityException e) {
                // one of another algorithm
            }
        }
        return Optional.empty();
    }

    /// The first private key (PKCS #8) in `pem`, strong or weak; empty when there is none.
    public static Optional<PrivateKey> privateKey(String pem) {
        Matcher block = PRIVATE.matcher(pem);
        if (!block.find()) return Optional.empty();
        for (String algorithm : ALGORITHMS) {
            try {
                byte[] encoded = Base64.getMimeDecoder().decode(block.group(1));
                return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                // one of another algorithm, or no Base64
            }
        }
        return Optional.empty();
    }
}
