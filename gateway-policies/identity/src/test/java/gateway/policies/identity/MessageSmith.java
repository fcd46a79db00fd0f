package gateway.policies.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs messages with the JDK alone, whatever they say.
public final class MessageSmith {
    private final String algorithm;
    private final KeyPair pair;
    private final byte[] secret;

    private MessageSmith(String algorithm, KeyPair pair, byte[] secret) {
        this.algorithm = algorithm;
        this.pair = pair;
        this.secret = secret;
    }

    /// With a new key of the algorithm's kind.
    public static MessageSmith of(String algorithm) {
        return new MessageSmith(algorithm, pair(algorithm), new byte[0]);
    }

    public static MessageSmith sharing(String algorithm, String secret) {
        return new MessageSmith(algorithm, new KeyPair(null, null), secret.getBytes(StandardCharsets.UTF_8));
    }

    private static KeyPair pair(String algorithm) {
        try {
            if (algorithm.equals("ed25519"))
                return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            var generator = KeyPairGenerator.getInstance(algorithm.startsWith("rsa") ? "RSA" : "EC");
            if (algorithm.startsWith("rsa")) generator.initialize(2048);
            else generator.initialize(new ECGenParameterSpec(algorithm.contains("p256") ? "secp256r1" : "secp384r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The public key, each line end as JSON writes it.
    public String pem() {
        String content = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(pair.getPublic().getEncoded());
        return ("-----BEGIN PUBLIC KEY-----\n" + content + "\n-----END PUBLIC KEY-----\n").replace("\n", "\\n");
    }

    /// In Base64.
    public String sign(String base) {
        try {
            return Base64.getEncoder().encodeToString(signature(base.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] signature(byte[] base) throws GeneralSecurityException {
        if (algorithm.startsWith("hmac")) {
            String name = algorithm.replace("hmac-sha", "HmacSHA");
            Mac mac = Mac.getInstance(name);
            mac.init(new SecretKeySpec(secret, name));
            return mac.doFinal(base);
        }
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "ed25519" -> "Ed25519";
                    case "rsa-pss-sha512" -> "RSASSA-PSS";
                    case "rsa-v1_5-sha256" -> "SHA256withRSA";
                    case "ecdsa-p256-sha256" -> "SHA256withECDSAinP1363Format";
                    default -> "SHA384withECDSAinP1363Format";
                });
        if (algorithm.equals("rsa-pss-sha512"))
            signature.setParameter(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1));
        signature.initSign(pair.getPrivate());
        signature.update(base);
        return signature.sign();
    }

    /// The value of `Content-Digest` for a body.
    public static String contentDigest(String algorithm, String body) {
        return algorithm + "=:" + digest(algorithm, body) + ':';
    }

    /// The digest of a body in Base64.
    public static String digest(String algorithm, String body) {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(body.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
