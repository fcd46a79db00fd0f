package gateway.policies.cryptography;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import gateway.service.Sha256;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/// Keys as Java has them, made into those that verify signatures. RSA keys of less than 2,048 or more than 8,192
/// bits or exponents of more than 33, points off their curve, other curves and points of small order are none.
public final class PublicKeys {
    private static final int FEWEST_RSA_BITS = 2_048;
    private static final int MOST_RSA_BITS = 8_192;

    /// What native cryptography takes: nobody's choice of cryptography shall make a key good or bad.
    private static final int MOST_EXPONENT_BITS = 33;

    /// What stands before the 32 octets of an Ed25519 key in its `SubjectPublicKeyInfo` (RFC 8410).
    private static final byte[] ED25519 = HexFormat.of().parseHex("302a300506032b6570032100");

    /// The points of Curve25519 of which eight times are nothing, in every encoding: under such a key a signature can
    /// be made up. The topmost bit, a sign, is cleared.
    private static final Set<String> SMALL_ORDER = Set.of(
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");

    private PublicKeys() {}

    /// Empty when nothing can be verified with it.
    ///
    /// @param id its `kid`; empty text: none
    /// @param algorithm the only one that it is for; empty text: each of its kind
    public static Optional<VerificationKey> of(PublicKey key, String id, String algorithm) {
        return switch (key) {
            case RSAPublicKey rsa -> rsa(rsa, id, algorithm);
            case ECPublicKey ec -> ec(ec, id, algorithm);
            case EdECPublicKey ed -> ed25519(ed, id, algorithm);
            default -> Optional.empty();
        };
    }

    private static Optional<VerificationKey> rsa(RSAPublicKey key, String id, String algorithm) {
        int bits = key.getModulus().bitLength();
        if (bits < FEWEST_RSA_BITS || bits > MOST_RSA_BITS) return Optional.empty();
        if (key.getPublicExponent().bitLength() > MOST_EXPONENT_BITS) return Optional.empty();
        return Optional.of(new VerificationKey(
                id,
                algorithm,
                KeyKind.RSA,
                digest(key.getEncoded()),
                byPublic(new RSASSAVerifier(ready(RSAPublicKey.class, key)))));
    }

    private static Optional<VerificationKey> ec(ECPublicKey key, String id, String algorithm) {
        Curve curve = Curve.forECParameterSpec(key.getParams());
        Optional<KeyKind> kind = kind(curve);
        if (kind.isEmpty()) return Optional.empty();
        try {
            SignatureCheck check = byPublic(
                    new ECDSAVerifier(ready(ECPublicKey.class, key))); // looks whether the point lies on the curve
            return Optional.of(new VerificationKey(id, algorithm, kind.get(), digest(key.getEncoded()), check));
        } catch (JOSEException e) {
            return Optional.empty();
        }
    }

    private static Optional<KeyKind> kind(Curve curve) {
        if (Curve.P_256.equals(curve)) return Optional.of(KeyKind.P256);
        if (Curve.P_384.equals(curve)) return Optional.of(KeyKind.P384);
        if (Curve.P_521.equals(curve)) return Optional.of(KeyKind.P521);
        return Optional.empty();
    }

    private static Optional<VerificationKey> ed25519(EdECPublicKey key, String id, String algorithm) {
        if (!key.getParams().getName().equals(NamedParameterSpec.ED25519.getName())) return Optional.empty();
        byte[] encoded = key.getEncoded();
        byte[] point = Arrays.copyOfRange(encoded, ED25519.length, encoded.length);
        point[point.length - 1] &= 0x7f;
        if (SMALL_ORDER.contains(HexFormat.of().formatHex(point))) return Optional.empty();
        return Optional.of(
                new VerificationKey(id, algorithm, KeyKind.ED25519, digest(encoded), token -> verify(key, token)));
    }

    /// @param x the 32 octets of a JWK's `x`
    static Optional<VerificationKey> ed25519(byte[] x, String id, String algorithm) {
        if (x.length != 32) return Optional.empty();
        var encoded = new byte[ED25519.length + x.length];
        System.arraycopy(ED25519, 0, encoded, 0, ED25519.length);
        System.arraycopy(x, 0, encoded, ED25519.length, x.length);
        try {
            PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
            return of(key, id, algorithm);
        } catch (GeneralSecurityException e) {
            return Optional.empty(); // no point
        }
    }

    /// @param secret at least as long as the hash of the algorithm
    public static VerificationKey shared(byte[] secret) {
        try {
            return new VerificationKey("", "", KeyKind.SECRET, digest(secret), by(new MACVerifier(secret)));
        } catch (JOSEException e) {
            throw new IllegalArgumentException("too short", e);
        }
    }

    private static boolean verify(EdECPublicKey key, SignedContent token) {
        try {
            Signature signature = Cryptography.ofProcess().signature("Ed25519");
            signature.initVerify(key);
            signature.update(token.signed());
            return signature.verify(Base64.getUrlDecoder().decode(token.signature()));
        } catch (GeneralSecurityException e) {
            return false; // another length, or no point
        }
    }

    private static <K extends PublicKey> K ready(Class<K> type, K key) {
        return Cryptography.ofProcess().ready(type, key);
    }

    private static SignatureCheck byPublic(JWSVerifier verifier) {
        Cryptography.ofProcess().provider().ifPresent(verifier.getJCAContext()::setProvider);
        return by(verifier);
    }

    private static SignatureCheck by(JWSVerifier verifier) {
        return token -> {
            try {
                var header = new JWSHeader(JWSAlgorithm.parse(token.algorithm().word()));
                return verifier.verify(header, token.signed(), new DecodedSignature(token.signature()));
            } catch (JOSEException | IllegalArgumentException e) {
                return false; // a signature that is none
            }
        };
    }

    private static String digest(byte[] key) {
        return HexFormat.of().formatHex(Sha256.of(key));
    }
}
