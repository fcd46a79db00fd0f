package gateway.policies.cryptography;

import com.nimbusds.jose.util.Base64URL;
import java.util.Base64;

/// A signature for Nimbus, decoded by the JDK: Nimbus's own decoding takes as long as verifying by RSA does.
final class DecodedSignature extends Base64URL {
    private static final long serialVersionUID = 1L;

    DecodedSignature(String text) {
        super(text);
    }

    /// @throws IllegalArgumentException for what is no base64url
    @Override
    public byte[] decode() {
        return Base64.getUrlDecoder().decode(toString());
    }
}
