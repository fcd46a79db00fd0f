package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWECryptoParts;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.impl.AAD;
import com.nimbusds.jose.crypto.impl.ECDH;
import com.nimbusds.jose.crypto.impl.ECDHCryptoProvider;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import gateway.policies.cryptography.Cryptography;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;
import java.util.Set;
import javax.crypto.SecretKey;

/// Encrypts messages by a key that a new one for each agrees upon with the recipient's by ECDH-ES (RFC 7518 §4.6), with
/// native cryptography where that loads.
final class AgreedKeyEncrypter extends ECDHCryptoProvider implements JWEEncrypter {
    private final ECPublicKey theirs;

    AgreedKeyEncrypter(ECPublicKey theirs) throws JOSEException {
        super(Curve.forECParameterSpec(theirs.getParams()), null);
        this.theirs = Cryptography.ofProcess().ready(ECPublicKey.class, theirs);
    }

    @Override
    public Set<Curve> supportedEllipticCurves() {
        return ECDHEncrypter.SUPPORTED_ELLIPTIC_CURVES;
    }

    /// @param authenticated of a header that does not tell the new key yet
    @Override
    public JWECryptoParts encrypt(JWEHeader header, byte[] content, byte[] authenticated) throws JOSEException {
        KeyPair ours = pair();
        JWEHeader told = new JWEHeader.Builder(header)
                .ephemeralPublicKey(new ECKey.Builder(getCurve(), (ECPublicKey) ours.getPublic()).build())
                .build();
        SecretKey agreed = ECDH.deriveSharedSecret(
                theirs, ours.getPrivate(), Cryptography.ofProcess().provider().orElse(null));
        return encryptWithZ(told, agreed, content, AAD.compute(told));
    }

    private KeyPair pair() throws JOSEException {
        try {
            return Cryptography.ofProcess().keyPair(getCurve().getStdName());
        } catch (GeneralSecurityException e) {
            throw new JOSEException("no key of that curve", e);
        }
    }
}
