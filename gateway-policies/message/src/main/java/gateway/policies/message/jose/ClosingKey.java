package gateway.policies.message.jose;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWECryptoParts;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.crypto.AESEncrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.crypto.impl.AAD;
import gateway.json.Json;
import gateway.policies.cryptography.KeyKind;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A recipient's key, which messages are encrypted for. Used by many threads at once.
record ClosingKey(JoseKey key, KeyManagement management, ContentEncryption encryption, JWEEncrypter encrypter) {
    /// The first that is for it; empty when none is.
    static Optional<ClosingKey> of(List<JoseKey> keys, KeyManagement management, ContentEncryption encryption) {
        for (JoseKey each : keys) {
            if (!management.takes(each.kind()) || !management.isOf(each)) continue;
            if (each.kind() == KeyKind.SECRET && each.length() != management.secretBytes(encryption)) continue;
            try {
                return Optional.of(new ClosingKey(each, management, encryption, encrypter(each, management)));
            } catch (JOSEException e) {
                // a key of no use for it
            }
        }
        return Optional.empty();
    }

    private static JWEEncrypter encrypter(JoseKey key, KeyManagement management) throws JOSEException {
        return switch (key.key()) {
            case RSAPublicKey rsa -> new RSAEncrypter(rsa);
            case ECPublicKey ec -> new AgreedKeyEncrypter(ec);
            case SecretKey secret when management == KeyManagement.DIR -> new DirectEncrypter(secret);
            case SecretKey secret -> new AESEncrypter(secret);
            default -> throw new JOSEException("a private key");
        };
    }

    /// The content, encrypted: a text in the compact form, an object in the other.
    ///
    /// @param type of the content, as a header writes it
    JsonNode closed(byte[] content, Optional<String> type, JoseForm form) {
        var header = new JWEHeader.Builder(JWEAlgorithm.parse(management.word()), encryption.method());
        if (!key.id().isEmpty()) header.keyID(key.id());
        type.ifPresent(header::contentType);
        var built = header.build();
        try {
            JWECryptoParts parts = encrypter.encrypt(built, content, AAD.compute(built));
            return form == JoseForm.JSON ? json(parts) : JoseText.node(compact(parts));
        } catch (JOSEException e) {
            throw new IllegalStateException("a key that fits encrypts no more", e);
        }
    }

    private static String compact(JWECryptoParts parts) {
        return parts.getHeader().toBase64URL().toString()
                + '.'
                + wrapped(parts)
                + '.'
                + parts.getInitializationVector()
                + '.'
                + parts.getCipherText()
                + '.'
                + parts.getAuthenticationTag();
    }

    private static JsonNode json(JWECryptoParts parts) {
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("protected", parts.getHeader().toBase64URL().toString());
        String wrapped = wrapped(parts);
        if (!wrapped.isEmpty()) json.put("encrypted_key", wrapped);
        json.put("iv", parts.getInitializationVector().toString());
        json.put("ciphertext", parts.getCipherText().toString());
        json.put("tag", parts.getAuthenticationTag().toString());
        return json;
    }

    private static String wrapped(JWECryptoParts parts) {
        return parts.getEncryptedKey() == null ? "" : parts.getEncryptedKey().toString();
    }
}
