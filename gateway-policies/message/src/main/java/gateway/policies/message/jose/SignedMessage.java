package gateway.policies.message.jose;

import gateway.json.Json;
import gateway.policies.identity.SignedContent;
import gateway.policies.identity.SigningAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A signed message as it came (RFC 7515), its signature not yet verified.
final class SignedMessage implements SignedContent {
    private static final Set<String> FLATTENED = Set.of("payload", "protected", "header", "signature");
    private static final Set<String> GENERAL = Set.of("payload", "signatures");
    private static final Set<String> SIGNATURE = Set.of("protected", "header", "signature");

    private final JoseHeader header;
    private final SigningAlgorithm algorithm;
    private final byte[] payload;
    private final byte[] signed;
    private final String signature;

    private SignedMessage(JoseHeader header, byte[] payload, byte[] signed, String signature) {
        this.header = header;
        this.algorithm = SigningAlgorithm.of(header.required("alg"))
                .orElseThrow(() -> new BadJoseException("an unknown algorithm"));
        this.payload = payload;
        this.signed = signed;
        this.signature = signature;
        if (signature.isEmpty()) throw new BadJoseException("no signature");
        byte[] _ = JoseText.decoded(signature); // or it is no base64url
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
        byte[] signed = (header.text() + '.' + payload).getBytes(StandardCharsets.US_ASCII);
        return new SignedMessage(header, JoseText.decoded(payload), signed, signature);
    }

    /// The content stands elsewhere.
    ///
    /// @throws BadJoseException when it is none
    static SignedMessage ofDetached(String text, byte[] payload) {
        List<String> parts = JoseText.parts(text, 3);
        if (!parts.get(1).isEmpty()) throw new BadJoseException("content where there is to be none");
        var header = JoseHeader.of(parts.get(0), empty());
        byte[] signed = input(header.text(), payload, header.isEncoded());
        return new SignedMessage(header, payload, signed, parts.get(2));
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
        return payload;
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
        return signed;
    }

    @Override
    public String signature() {
        return signature;
    }
}
