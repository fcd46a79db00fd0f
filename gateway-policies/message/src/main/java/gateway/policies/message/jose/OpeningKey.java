package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.AESDecrypter;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.Base64URL;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyKind;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECParameterSpec;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;

/// A key that messages are opened with. Used by many threads at once.
record OpeningKey(JoseKey key, KeyManagement management, JWEDecrypter decrypter) {
    /// Empty when the key is for something else.
    ///
    /// @param encryption that messages may have, of which some need a secret of their own length
    static Optional<OpeningKey> of(JoseKey key, KeyManagement management, Set<ContentEncryption> encryption) {
        if (!management.takes(key.kind()) || !management.isOf(key)) return Optional.empty();
        boolean fits = management == KeyManagement.DIR
                ? encryption.stream().anyMatch(each -> each.keyBytes() == key.length())
                : key.kind() != KeyKind.SECRET || key.length() == secretBytes(management);
        if (!fits) return Optional.empty();
        try {
            return Optional.of(new OpeningKey(key, management, decrypter(key, management)));
        } catch (JOSEException e) {
            return Optional.empty(); // a key of no use for it
        }
    }

    private static int secretBytes(KeyManagement management) {
        return management.secretBytes(ContentEncryption.A256GCM);
    }

    private static JWEDecrypter decrypter(JoseKey key, KeyManagement management) throws JOSEException {
        return switch (key.key()) {
            case ECPrivateKey ec ->
                new AgreedKeyDecrypter(ready(ec), curve(ec.getParams()).orElseThrow());
            case PrivateKey rsa -> new TransportedKeyDecrypter(ready(rsa), management.transport());
            case SecretKey secret when management == KeyManagement.DIR -> new DirectDecrypter(secret);
            case SecretKey secret -> new AESDecrypter(secret);
            default -> throw new JOSEException("a public key");
        };
    }

    private static PrivateKey ready(PrivateKey key) {
        return Cryptography.ofProcess().ready(PrivateKey.class, key);
    }

    static Optional<Curve> curve(ECParameterSpec parameters) {
        return Optional.ofNullable(Curve.forECParameterSpec(parameters));
    }

    static Optional<KeyKind> kind(Curve curve) {
        if (Curve.P_256.equals(curve)) return Optional.of(KeyKind.P256);
        if (Curve.P_384.equals(curve)) return Optional.of(KeyKind.P384);
        if (Curve.P_521.equals(curve)) return Optional.of(KeyKind.P521);
        return Optional.empty();
    }

    /// The content; empty when this is not the key for it, or it was changed.
    ///
    /// @param authenticated what is authenticated beside the content
    Optional<byte[]> open(
            JWEHeader header,
            Base64URL encryptedKey,
            Base64URL nonce,
            Base64URL content,
            Base64URL tag,
            byte[] authenticated) {
        try {
            // What is not there is nothing, not something empty: a message by `dir` has no key in it.
            Base64URL wrapped = encryptedKey.toString().isEmpty() ? null : encryptedKey;
            return Optional.of(decrypter.decrypt(header, wrapped, nonce, content, tag, authenticated));
        } catch (JOSEException | RuntimeException e) {
            return Optional.empty(); // all that can be wrong looks the same
        }
    }
}
