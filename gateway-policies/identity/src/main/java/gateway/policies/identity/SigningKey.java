package gateway.policies.identity;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.PemReader;
import gateway.policies.cryptography.PublicKeys;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// A private key of the gateway's own with the public one beside it. Prints neither.
final class SigningKey {
    private static final Pattern PRIVATE =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final int ED25519_BYTES = 32;
    private static final byte[] TRIAL = "trial".getBytes(StandardCharsets.US_ASCII);

    private final OwnAlgorithm algorithm;
    private final PrivateKey key;
    private final PublicKey published;
    private final String id;

    private SigningKey(OwnAlgorithm algorithm, PrivateKey key, PublicKey published, String id) {
        this.algorithm = algorithm;
        this.key = key;
        this.published = published;
        this.id = id;
    }

    /// @param pem a private key (PKCS #8) and its public one or certificate, one behind the other
    /// @param pointer where its reference stands
    /// @throws InvalidConfigException when they are not, or not for that algorithm, without being told
    static SigningKey read(String pem, OwnAlgorithm algorithm, Optional<String> id, String pointer) {
        Matcher block = PRIVATE.matcher(pem);
        if (!block.find()) throw new InvalidConfigException(pointer, "expected a private key in PEM (PKCS #8)");
        String rest = pem.substring(0, block.start()) + pem.substring(block.end());
        PublicKey published = PemReader.key(rest)
                .filter(found -> PublicKeys.of(found, "", "")
                        .filter(key -> key.kind() == algorithm.kind())
                        .isPresent())
                .orElseThrow(() -> new InvalidConfigException(
                        pointer, "expected a public key for " + algorithm.word() + " beside the private one"));
        try {
            byte[] content = Base64.getMimeDecoder().decode(block.group(1));
            PrivateKey key =
                    KeyFactory.getInstance(algorithm.family()).generatePrivate(new PKCS8EncodedKeySpec(content));
            PrivateKey ready = Cryptography.ofProcess().ready(PrivateKey.class, key);
            var read = new SigningKey(algorithm, ready, published, id.orElseGet(() -> thumbprint(published)));
            if (!read.belongTogether()) {
                throw new InvalidConfigException(pointer, "expected the public key of that private one");
            }
            return read;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new InvalidConfigException(pointer, "expected a private key for " + algorithm.word());
        }
    }

    private boolean belongTogether() throws GeneralSecurityException {
        Signature check = algorithm.signature();
        check.initVerify(published);
        check.update(TRIAL);
        return check.verify(signed(TRIAL));
    }

    /// A compact token (RFC 7515 §3.1) with these claims.
    String sign(ObjectNode claims) {
        ObjectNode header = Json.mapper()
                .createObjectNode()
                .put("alg", algorithm.word())
                .put("typ", "JWT")
                .put("kid", id);
        String content = text(Json.compact(header).getBytes(StandardCharsets.UTF_8))
                + '.'
                + text(Json.compact(claims).getBytes(StandardCharsets.UTF_8));
        return content + '.' + text(signature(content.getBytes(StandardCharsets.US_ASCII)));
    }

    /// The signature of `content`.
    byte[] signature(byte[] content) {
        try {
            return signed(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that has signed signs no more", e);
        }
    }

    private byte[] signed(byte[] content) throws GeneralSecurityException {
        Signature signature = algorithm.signature();
        signature.initSign(key);
        signature.update(content);
        return signature.sign();
    }

    private static String text(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }

    /// The public one as others find it in a key set.
    ObjectNode published() {
        ObjectNode json = jwk(published);
        return json.put("use", "sig").put("alg", algorithm.word()).put("kid", id);
    }

    private static ObjectNode jwk(PublicKey key) {
        JWK jwk = switch (key) {
            case RSAPublicKey rsa -> new RSAKey.Builder(rsa).build();
            case ECPublicKey ec -> new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).build();
            case EdECPublicKey ed -> new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(point(ed))).build();
            default -> throw new IllegalArgumentException(key.getAlgorithm());
        };
        return (ObjectNode) Json.parse(jwk.toJSONString());
    }

    private static byte[] point(EdECPublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - ED25519_BYTES, encoded.length);
    }

    /// What names a key to whoever has no better name (the SHA-256 of its encoding, the first half).
    private static String thumbprint(PublicKey key) {
        byte[] digest = Sha256.of(key.getEncoded());
        return text(Arrays.copyOf(digest, 16));
    }

    @Override
    public String toString() {
        return algorithm.word() + ' ' + id;
    }
}
