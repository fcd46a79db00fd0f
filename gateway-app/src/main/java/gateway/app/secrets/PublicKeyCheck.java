package gateway.app.secrets;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Looks whether the public key of a credential is one for its algorithm, when somebody writes it.
final class PublicKeyCheck {
    private static final Pattern BLOCK =
            Pattern.compile("\\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----\\s*");

    private PublicKeyCheck() {}

    /// Empty text where there is none, and where the key is a good one.
    static String flaw(JsonNode credential) {
        String pem = credential.path("pem").asString("");
        String algorithm = credential.path("algorithm").asString("");
        if (pem.isEmpty() || algorithm.startsWith("hmac-")) return "";
        Matcher block = BLOCK.matcher(pem);
        boolean good = block.matches() && isGood(block.group(1), block.group(2), algorithm);
        return good ? "" : "expected a public key or certificate in PEM for " + algorithm;
    }

    private static boolean isGood(String kind, String encoded, String algorithm) {
        try {
            byte[] content = Base64.getMimeDecoder().decode(encoded);
            if (!kind.equals("CERTIFICATE")) return isReadAs(content, algorithm);
            return fits(
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(content))
                            .getPublicKey(),
                    algorithm);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isReadAs(byte[] content, String algorithm) throws GeneralSecurityException {
        for (String each : List.of("RSA", "EC", "Ed25519")) {
            KeyFactory factory = KeyFactory.getInstance(each);
            try {
                return fits(factory.generatePublic(new X509EncodedKeySpec(content)), algorithm);
            } catch (GeneralSecurityException e) {
                // one of another algorithm
            }
        }
        return false;
    }

    private static boolean fits(PublicKey key, String algorithm) {
        return switch (key) {
            case RSAPublicKey rsa -> {
                int bits = rsa.getModulus().bitLength();
                yield algorithm.startsWith("rsa-") && bits >= 2_048 && bits <= 8_192;
            }
            case ECPublicKey ec -> {
                int bits = ec.getParams().getOrder().bitLength();
                yield algorithm.startsWith("ecdsa-p" + bits + '-');
            }
            case EdECPublicKey ed ->
                algorithm.equals("ed25519") && ed.getParams().getName().equalsIgnoreCase("Ed25519");
            default -> false;
        };
    }
}
