package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.impl.ECDH;
import com.nimbusds.jose.crypto.impl.ECDHCryptoProvider;
import com.nimbusds.jose.crypto.utils.ECChecks;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.Base64URL;
import gateway.policies.cryptography.Cryptography;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.Set;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/// Opens messages whose key was agreed upon with ours by ECDH-ES (RFC 7518 §4.6), with native cryptography where that
/// loads. Nimbus would have that wrap keys too, which it cannot.
final class AgreedKeyDecrypter extends ECDHCryptoProvider implements JWEDecrypter {
    /// What is compressed has been refused before.
    private static final int NONE_COMPRESSED = 0;

    private final PrivateKey ours;

    AgreedKeyDecrypter(PrivateKey ours, Curve curve) throws JOSEException {
        super(curve, null);
        this.ours = ours;
    }

    @Override
    public Set<Curve> supportedEllipticCurves() {
        return ECDHDecrypter.SUPPORTED_ELLIPTIC_CURVES;
    }

    /// @throws JOSEException whatever is wrong, a point that is not on the curve too
    @Override
    public byte[] decrypt(
            JWEHeader header,
            @Nullable Base64URL encryptedKey,
            Base64URL nonce,
            Base64URL content,
            Base64URL tag,
            byte[] authenticated)
            throws JOSEException {
        if (!(header.getEphemeralPublicKey() instanceof ECKey theirs)) throw new JOSEException("no key of theirs");
        ECPublicKey point = theirs.toECPublicKey();
        if (!ECChecks.isPointOnCurve(point, getCurve().toECParameterSpec()))
            throw new JOSEException("a point beside the curve");
        SecretKey agreed = ECDH.deriveSharedSecret(
                point, ours, Cryptography.ofProcess().provider().orElse(null));
        return decryptWithZ(header, authenticated, agreed, encryptedKey, nonce, content, tag, NONE_COMPRESSED);
    }
}
