package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.impl.ContentCryptoProvider;
import com.nimbusds.jose.crypto.impl.RSACryptoProvider;
import com.nimbusds.jose.util.Base64URL;
import gateway.policies.cryptography.KeyTransport;
import java.security.PrivateKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Opens messages whose key was encrypted for ours by RSA, with native cryptography where that loads: Nimbus asks a
/// provider by names of paddings that this one does not have.
final class TransportedKeyDecrypter extends RSACryptoProvider implements JWEDecrypter {
    /// What is compressed has been refused before.
    private static final int NONE_COMPRESSED = 0;

    private final PrivateKey ours;
    private final KeyTransport transport;

    TransportedKeyDecrypter(PrivateKey ours, KeyTransport transport) {
        super(null);
        this.ours = ours;
        this.transport = transport;
    }

    /// @throws JOSEException whatever is wrong, a key of another length too
    @Override
    public byte[] decrypt(
            JWEHeader header,
            @Nullable Base64URL encryptedKey,
            @Nullable Base64URL nonce,
            Base64URL content,
            @Nullable Base64URL tag,
            byte[] authenticated)
            throws JOSEException {
        if (encryptedKey == null) throw new JOSEException("no encrypted key");
        byte[] key = transport.opened(encryptedKey.decode(), ours);
        if (key.length == 0) throw new JOSEException("a key that does not open");
        return ContentCryptoProvider.decrypt(
                header,
                authenticated,
                encryptedKey,
                nonce,
                content,
                tag,
                new SecretKeySpec(key, "AES"),
                getJCAContext(),
                NONE_COMPRESSED);
    }
}
