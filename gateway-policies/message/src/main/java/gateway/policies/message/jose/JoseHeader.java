package gateway.policies.message.jose;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.Base64Url;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The header of a message (RFC 7515 §4, RFC 7516 §4), read strictly: what is protected, and in JSON forms what stands
/// beside it. What it says of keys otherwise than by `kid` (`jwk`, `jku`, `x5c`, `x5u`) is never looked at.
///
/// @param text of the protected one, in base64url
/// @param members of the protected one
/// @param beside those outside of what is protected
record JoseHeader(String text, JsonNode members, JsonNode beside) {
    private static final int LONGEST = 8 << 10;
    private static final int LONGEST_KEY_ID = 1_024;

    /// Members that decide how a message is read, so that only who made it may say them.
    private static final List<String> PROTECTED_ONLY = List.of("alg", "enc", "zip", "crit", "b64", "cty");

    /// @param beside members outside of what is protected; an empty object where there is no such place
    /// @throws BadJoseException when it is none, or asks for what is not understood
    static JoseHeader of(String text, JsonNode beside) {
        if (text.isEmpty() || text.length() > LONGEST || !Base64Url.isCanonical(text)) {
            throw new BadJoseException("no header");
        }
        var header = new JoseHeader(text, object(Base64Url.decode(text)), beside);
        if (!beside.isObject()) throw new BadJoseException("a header is no object");
        for (String name : beside.propertyNames()) {
            if (header.members.has(name)) throw new BadJoseException(name + " stands in two headers");
            if (PROTECTED_ONLY.contains(name)) throw new BadJoseException(name + " is not protected");
        }
        return header;
    }

    static JsonNode object(byte[] utf8) {
        try {
            String json = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            JsonNode tree = Json.parse(json);
            if (tree.isObject()) return tree;
        } catch (CharacterCodingException | InvalidConfigException e) {
            throw new BadJoseException("no strict JSON");
        }
        throw new BadJoseException("no JSON object");
    }

    /// The text that a protected member is, such as `alg`.
    String required(String name) {
        JsonNode value = members.get(name);
        if (value == null || !value.isString()) throw new BadJoseException("no " + name);
        return value.stringValue();
    }

    /// Of the key; empty text when it names none.
    String keyId() {
        JsonNode value = any("kid");
        if (value.isMissingNode()) return "";
        if (!value.isString() || value.stringValue().length() > LONGEST_KEY_ID) throw new BadJoseException("no kid");
        return value.stringValue();
    }

    /// Protected or not; missing where it stands nowhere.
    JsonNode any(String name) {
        JsonNode value = members.get(name);
        return value == null ? beside.path(name) : value;
    }

    /// The media type of the content, where it says one.
    Optional<String> contentType() {
        JsonNode value = members.path("cty");
        return value.isString() ? MediaName.of(value.stringValue()) : Optional.empty();
    }

    /// Refuses all that would have to be understood.
    void requirePlain() {
        if (members.has("crit") || members.has("b64")) throw new BadJoseException("an extension that is not taken");
        if (members.has("zip")) throw new BadJoseException("compressed");
    }

    /// Whether the content stands in what was signed as base64url (RFC 7797 §3).
    boolean isEncoded() {
        JsonNode encoded = members.path("b64");
        JsonNode critical = members.path("crit");
        if (encoded.isMissingNode() && critical.isMissingNode()) return true;
        boolean understood = encoded.isBoolean()
                && critical.isArray()
                && critical.size() == 1
                && critical.get(0).isString()
                && critical.get(0).stringValue().equals("b64");
        if (!understood) throw new BadJoseException("an extension that is not taken");
        return encoded.booleanValue();
    }
}
