package gateway.policies.cryptography;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs tokens with the JDK alone, whatever their header and claims say.
public final class TokenSmith {
    private static final Map<String, String> CURVES = Map.of("ES256", "P-256", "ES384", "P-384", "ES512", "P-521");

    private final String algorithm;
    private final String keyId;
    private final KeyPair pair;
    private final byte[] secret;

    private TokenSmith(String algorithm, String keyId, KeyPair pair, byte[] secret) {
        this.algorithm = algorithm;
        this.keyId = keyId;
        this.pair = pair;
        this.secret = secret;
    }

    /// With a new key of the algorithm's kind.
    public static TokenSmith of(String algorithm, String keyId) {
        return new TokenSmith(algorithm, keyId, pair(algorithm, 2048), new byte[0]);
    }

    public static TokenSmith rsa(int bits, String keyId) {
        return new TokenSmith("RS256", keyId, pair("RS256", bits), new byte[0]);
    }

    public static TokenSmith sharing(String algorithm, byte[] secret) {
        return new TokenSmith(algorithm, "", new KeyPair(null, null), secret.clone());
    }

    String keyId() {
        return keyId;
    }

    /// The same key by another algorithm.
    public TokenSmith by(String other) {
        return new TokenSmith(other, keyId, pair, secret);
    }

    private static KeyPair pair(String algorithm, int bits) {
        try {
            if (algorithm.equals("EdDSA"))
                return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            if (algorithm.startsWith("ES")) {
                var generator = KeyPairGenerator.getInstance("EC");
                String digits = CURVES.get(algorithm).substring(2);
                generator.initialize(new ECGenParameterSpec("secp" + digits + "r1"));
                return generator.generateKeyPair();
            }
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public PublicKey publicKey() {
        return pair.getPublic();
    }

    public String pem() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    /// The private key, and the public one behind it.
    public String pairPem() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n" + pem();
    }

    /// The public key as JSON.
    public String jwk() {
        return switch (pair.getPublic()) {
            case RSAPublicKey rsa ->
                new RSAKey.Builder(rsa).keyID(keyId).build().toJSONString();
            case ECPublicKey ec ->
                new ECKey.Builder(Curve.parse(CURVES.get(algorithm)), ec)
                        .keyID(keyId)
                        .build()
                        .toJSONString();
            default -> "{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"kid\": \"" + keyId + "\", \"x\": \"" + x() + "\"}";
        };
    }

    private String x() {
        byte[] encoded = pair.getPublic().getEncoded();
        return text(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
    }

    /// A token with these claims and the usual header.
    public String token(String claims) {
        String kid = keyId.isEmpty() ? "" : ", \"kid\": \"" + keyId + '"';
        return token("{\"alg\": \"" + algorithm + "\", \"typ\": \"JWT\"" + kid + '}', claims);
    }

    public String token(String header, String claims) {
        String signed =
                text(header.getBytes(StandardCharsets.UTF_8)) + '.' + text(claims.getBytes(StandardCharsets.UTF_8));
        return signed + '.' + text(signature(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    public static String text(byte[] octets) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    }

    private byte[] signature(byte[] signed) {
        try {
            if (algorithm.startsWith("HS")) {
                var mac = Mac.getInstance("HmacSHA" + algorithm.substring(2));
                mac.init(new SecretKeySpec(secret, "HMAC"));
                return mac.doFinal(signed);
            }
            Signature signature = signature();
            signature.initSign(pair.getPrivate());
            signature.update(signed);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Signature signature() throws GeneralSecurityException {
        String bits = algorithm.substring(2);
        if (algorithm.equals("EdDSA")) return Signature.getInstance("Ed25519");
        if (algorithm.startsWith("ES")) return Signature.getInstance("SHA" + bits + "withECDSAinP1363Format");
        if (algorithm.startsWith("RS")) return Signature.getInstance("SHA" + bits + "withRSA");
        Signature pss = Signature.getInstance("RSASSA-PSS");
        var mask = new MGF1ParameterSpec("SHA-" + bits);
        pss.setParameter(new PSSParameterSpec("SHA-" + bits, "MGF1", mask, Integer.parseInt(bits) / 8, 1));
        return pss;
    }
}
