package gateway.policies.message.jose;

import gateway.http.Body;
import gateway.http.HeldBody;
import gateway.json.Json;
import gateway.policies.cryptography.SignedContent;
import gateway.policies.cryptography.SigningAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A signed message as it came (RFC 7515), its signature not yet verified.
final class SignedMessage implements SignedContent {
    private static final Set<String> FLATTENED = Set.of("payload", "protected", "header", "signature");
    private static final Set<String> GENERAL = Set.of("payload", "signatures");
    private static final Set<String> SIGNATURE = Set.of("protected", "header", "signature");

    /// What was said, as it stands in the message or beside it: decoded and put together when it is asked for, by whom
    /// it is verified, so that who waits for that holds no copies.
    private sealed interface Content {
        record Within(String encoded) implements Content {}

        record Beside(HeldBody body) implements Content {}
    }

    private final JoseHeader header;
    private final SigningAlgorithm algorithm;
    private final Content content;
    private final String signature;

    private SignedMessage(JoseHeader header, Content content, String signature) {
        this.header = header;
        this.algorithm = SigningAlgorithm.of(header.required("alg"))
                .orElseThrow(() -> new BadJoseException("an unknown algorithm"));
        this.content = content;
        this.signature = JoseText.requireEncoded(signature);
        if (signature.isEmpty()) throw new BadJoseException("no signature");
    }

    /// @throws BadJoseException when it is none
    static SignedMessage ofCompact(String text) {
        List<String> parts = JoseText.parts(text, 3);
        return of(JoseHeader.of(parts.get(0), empty()), parts.get(1), parts.get(2));
    }

    /// @throws BadJoseException when it is none, or has several signatures
    static SignedMessage ofJson(JsonNode object) {
        boolean general = object.has("signatures");
        JoseText.requireOnly(object, general ? GENERAL : FLATTENED);
        JsonNode signature = general ? JoseText.only(object.get("signatures"), SIGNATURE) : object;
        JsonNode beside = signature.has("header") ? signature.get("header") : empty();
        var header = JoseHeader.of(JoseText.member(signature, "protected", true), beside);
        String payload = JoseText.member(object, "payload", true);
        return of(header, payload, JoseText.member(signature, "signature", true));
    }

    private static SignedMessage of(JoseHeader header, String payload, String signature) {
        if (!header.isEncoded()) throw new BadJoseException("content that is not encoded, in an encoded form");
        return new SignedMessage(header, new Content.Within(JoseText.requireEncoded(payload)), signature);
    }

    /// The content stands elsewhere.
    ///
    /// @throws BadJoseException when it is none
    static SignedMessage ofDetached(String text, byte[] payload) {
        List<String> parts = JoseText.parts(text, 3);
        if (!parts.get(1).isEmpty()) throw new BadJoseException("content where there is to be none");
        var header = JoseHeader.of(parts.get(0), empty());
        boolean _ = header.isEncoded(); // or it asks for what is not understood
        return new SignedMessage(header, new Content.Beside(Body.of(payload)), parts.get(2));
    }

    /// What is signed (RFC 7515 §5.1, RFC 7797 §3).
    static byte[] input(String header, byte[] payload, boolean encoded) {
        byte[] begin = (header + '.').getBytes(StandardCharsets.US_ASCII);
        byte[] end = encoded ? JoseText.encoded(payload).getBytes(StandardCharsets.US_ASCII) : payload;
        var all = new byte[begin.length + end.length];
        System.arraycopy(begin, 0, all, 0, begin.length);
        System.arraycopy(end, 0, all, begin.length, end.length);
        return all;
    }

    private static JsonNode empty() {
        return Json.mapper().createObjectNode();
    }

    JoseHeader header() {
        return header;
    }

    /// What is said in it.
    byte[] payload() {
        return switch (content) {
            case Content.Within(String encoded) -> JoseText.decoded(encoded);
            case Content.Beside(HeldBody body) -> body.content();
        };
    }

    /// About as many octets as are signed.
    int length() {
        return switch (content) {
            case Content.Within(String encoded) -> encoded.length();
            case Content.Beside(HeldBody body) -> body.content().length;
        };
    }

    @Override
    public SigningAlgorithm algorithm() {
        return algorithm;
    }

    @Override
    public String keyId() {
        return header.keyId();
    }

    @Override
    public byte[] signed() {
        return switch (content) {
            case Content.Within(String encoded) -> (header.text() + '.' + encoded).getBytes(StandardCharsets.US_ASCII);
            case Content.Beside(HeldBody body) -> input(header.text(), body.content(), header.isEncoded());
        };
    }

    @Override
    public String signature() {
        return signature;
    }
}
