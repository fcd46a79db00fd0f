package gateway.policies.message.jose;

import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.util.Base64URL;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An encrypted message as it came (RFC 7516), for one recipient.
final class EncryptedMessage {
    private static final Set<String> FLATTENED =
            Set.of("protected", "unprotected", "header", "encrypted_key", "aad", "iv", "ciphertext", "tag");
    private static final Set<String> GENERAL =
            Set.of("protected", "unprotected", "recipients", "aad", "iv", "ciphertext", "tag");
    private static final Set<String> RECIPIENT = Set.of("header", "encrypted_key");

    /// All of a header that opening looks at.
    private static final List<String> USED = List.of("alg", "enc", "epk", "apu", "apv", "iv", "tag");

    private final JoseHeader header;
    private final KeyManagement management;
    private final ContentEncryption encryption;
    private final String encryptedKey;
    private final String nonce;
    private final String content;
    private final String tag;
    private final String authenticated;

    private EncryptedMessage(
            JoseHeader header, String encryptedKey, String nonce, String content, String tag, String additional) {
        header.requirePlain();
        this.header = header;
        this.management = KeyManagement.of(header.required("alg"))
                .orElseThrow(() -> new BadJoseException("an unknown algorithm"));
        this.encryption = ContentEncryption.of(header.required("enc"))
                .orElseThrow(() -> new BadJoseException("an unknown encryption"));
        this.encryptedKey = JoseText.requireEncoded(encryptedKey);
        if (encryptedKey.isEmpty() == management.carriesKey()) {
            throw new BadJoseException("a key where there is to be none, or none"); // RFC 7516 §5.2, steps 10 and 11
        }
        this.nonce = nonce;
        this.content = JoseText.requireEncoded(content);
        this.tag = tag;
        this.authenticated =
                additional.isEmpty() ? header.text() : header.text() + '.' + JoseText.requireEncoded(additional);
        if (!encryption.isShapeOf(JoseText.decoded(nonce).length, JoseText.decoded(tag).length)) {
            throw new BadJoseException("a nonce or a tag of another length");
        }
    }

    /// @throws BadJoseException when it is none
    static EncryptedMessage ofCompact(String text) {
        List<String> parts = JoseText.parts(text, 5);
        var header = JoseHeader.of(parts.get(0), Json.mapper().createObjectNode());
        return new EncryptedMessage(header, parts.get(1), parts.get(2), parts.get(3), parts.get(4), "");
    }

    /// @throws BadJoseException when it is none, or has several recipients
    static EncryptedMessage ofJson(JsonNode object) {
        boolean general = object.has("recipients");
        JoseText.requireOnly(object, general ? GENERAL : FLATTENED);
        JsonNode recipient = general ? JoseText.only(object.get("recipients"), RECIPIENT) : object;
        var header = JoseHeader.of(
                JoseText.member(object, "protected", true),
                beside(object.path("unprotected"), recipient.path("header")));
        return new EncryptedMessage(
                header,
                JoseText.member(recipient, "encrypted_key", false),
                JoseText.member(object, "iv", true),
                JoseText.member(object, "ciphertext", true),
                JoseText.member(object, "tag", true),
                JoseText.member(object, "aad", false));
    }

    private static JsonNode beside(JsonNode ofAll, JsonNode ofRecipient) {
        ObjectNode beside = Json.mapper().createObjectNode();
        for (JsonNode each : List.of(ofAll, ofRecipient)) {
            if (each.isMissingNode()) continue;
            if (!each.isObject()) throw new BadJoseException("a header is no object");
            for (String name : each.propertyNames()) {
                if (beside.has(name)) throw new BadJoseException(name + " stands in two headers");
                beside.set(name, each.get(name));
            }
        }
        return beside;
    }

    /// Characters of its content.
    int length() {
        return content.length();
    }

    JoseHeader header() {
        return header;
    }

    KeyManagement management() {
        return management;
    }

    ContentEncryption encryption() {
        return encryption;
    }

    /// What the first of the keys opens that is the one.
    ///
    /// @throws BadJoseException when none is, or nobody can open it
    byte[] opened(List<OpeningKey> keys) {
        JWEHeader used = used();
        for (OpeningKey each : keys) {
            Optional<byte[]> found = each.open(
                    used,
                    new Base64URL(encryptedKey),
                    new Base64URL(nonce),
                    new Base64URL(content),
                    new Base64URL(tag),
                    authenticated.getBytes(StandardCharsets.US_ASCII));
            if (found.isPresent()) return found.get();
        }
        throw new BadJoseException("it cannot be opened");
    }

    private JWEHeader used() {
        ObjectNode used = Json.mapper().createObjectNode();
        for (String name : USED) {
            JsonNode value = header.any(name);
            if (!value.isMissingNode()) used.set(name, value);
        }
        try {
            return JWEHeader.parse(Json.compact(used), new Base64URL(header.text()));
        } catch (ParseException | RuntimeException e) {
            throw new BadJoseException("a header that is none"); // a point off its curve is among them
        }
    }
}
