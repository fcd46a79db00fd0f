package gateway.policies.identity;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.Base64Url;
import gateway.policies.cryptography.SignedContent;
import gateway.policies.cryptography.SigningAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A signed token in its compact form (RFC 7515 §7.1), read strictly and not yet believed in anything.
///
/// What its header says of keys (`jwk`, `jku`, `x5u`, `x5c`) is not looked at. A header with `crit` or `b64` asks for
/// what nobody here understands, and is refused as a whole.
final class CompactToken implements SignedContent {
    /// Characters of the longest token that is looked at.
    static final int LONGEST = 16 << 10;

    private static final int LONGEST_KEY_ID = 512;

    private final String text;
    private final SigningAlgorithm algorithm;
    private final String keyId;
    private final String type;
    private final JsonNode claims;
    private final String signature;

    private CompactToken(
            String text, SigningAlgorithm algorithm, String keyId, String type, JsonNode claims, String signature) {
        this.text = text;
        this.algorithm = algorithm;
        this.keyId = keyId;
        this.type = type;
        this.claims = claims;
        this.signature = signature;
    }

    /// Empty when it is no such token, or one of an algorithm that nobody knows.
    static Optional<CompactToken> parse(String text) {
        if (text.length() > LONGEST) return Optional.empty();
        int first = text.indexOf('.');
        int second = text.indexOf('.', first + 1);
        if (first < 1 || second < first + 2 || text.indexOf('.', second + 1) >= 0) return Optional.empty();
        Optional<JsonNode> header = object(text.substring(0, first));
        if (header.isEmpty()) return Optional.empty();
        String signature = text.substring(second + 1);
        if (signature.isEmpty() || !Base64Url.isCanonical(signature)) return Optional.empty();
        Optional<JsonNode> claims = object(text.substring(first + 1, second));
        return claims.isEmpty() ? Optional.empty() : of(text, header.get(), claims.get(), signature);
    }

    private static Optional<CompactToken> of(String text, JsonNode header, JsonNode claims, String signature) {
        if (header.has("crit") || header.has("b64")) return Optional.empty();
        Optional<SigningAlgorithm> algorithm = member(header, "alg").flatMap(SigningAlgorithm::of);
        Optional<String> keyId = header.has("kid") ? member(header, "kid") : Optional.of("");
        Optional<String> type = header.has("typ") ? member(header, "typ") : Optional.of("");
        if (algorithm.isEmpty() || keyId.isEmpty() || type.isEmpty()) return Optional.empty();
        if (keyId.get().length() > LONGEST_KEY_ID) return Optional.empty();
        return Optional.of(
                new CompactToken(text, algorithm.get(), keyId.get(), plainType(type.get()), claims, signature));
    }

    private static Optional<String> member(JsonNode header, String name) {
        JsonNode value = header.get(name);
        return value != null && value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    private static Optional<JsonNode> object(String part) {
        if (!Base64Url.isCanonical(part)) return Optional.empty();
        try {
            String json = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64Url.decode(part)))
                    .toString();
            JsonNode tree = Json.parse(json);
            return tree.isObject() ? Optional.of(tree) : Optional.empty();
        } catch (CharacterCodingException | InvalidConfigException e) {
            return Optional.empty(); // no UTF-8, or no strict JSON
        }
    }

    /// Without `application/`, in lower case (RFC 7515 §4.1.9).
    static String plainType(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        return lower.startsWith("application/") ? lower.substring("application/".length()) : lower;
    }

    @Override
    public SigningAlgorithm algorithm() {
        return algorithm;
    }

    @Override
    public String keyId() {
        return keyId;
    }

    /// As [#plainType] has it; empty text when it says none.
    String type() {
        return type;
    }

    JsonNode claims() {
        return claims;
    }

    @Override
    public byte[] signed() {
        return text.substring(0, text.lastIndexOf('.')).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String signature() {
        return signature;
    }

    int length() {
        return text.length();
    }
}
