package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.standard.WritableHeader;
import java.nio.charset.StandardCharsets;

/// How a signature stands beside the body.
///
/// @param header the field that it stands in
/// @param canonical whether the JSON is signed that the body is (RFC 8785) rather than its octets
record DetachedForm(String header, boolean canonical) {
    private static final String USUAL = "x-jws-signature";

    /// @param form whether it is asked for at all
    static DetachedForm read(ConfigNode node, JoseForm form) {
        ConfigNode header = node.field("header", "of the form `detached`: the field that holds the signature")
                .form("header name")
                .unlessGiven('`' + USUAL + '`');
        ConfigNode canonical = node.field(
                "canonical", "of the form `detached`: the JSON is signed (RFC 8785), however it is laid out");
        node.onlyWhere("header", "form", false, "detached").obeys(onlyTrue("canonical"));
        boolean isCanonical = canonical.bool(false);
        if (form != JoseForm.DETACHED) {
            if (header.isPresent()) header.problem("expected nothing, since the form is not \"detached\"");
            if (isCanonical) canonical.problem("expected nothing, since the form is not \"detached\"");
            return new DetachedForm(USUAL, false);
        }
        return new DetachedForm(header.isPresent() ? WritableHeader.readName(header) : USUAL, isCanonical);
    }

    /// For descriptions: the field of this name is true in this form alone.
    static String onlyTrue(String name) {
        return """
                {"if": {"required": ["NAME"], "properties": {"NAME": {"const": true}}},
                 "then": {"required": ["form"], "properties": {"form": {"const": "detached"}}}}
                """.replace("NAME", name);
    }

    /// What is signed of the body.
    ///
    /// @param exact whether JSON that has no text of its own is refused
    byte[] payload(JoseMessage message, boolean exact) {
        if (!canonical || message.body().length == 0) return message.body();
        return CanonicalJson.of(message.tree(), exact).getBytes(StandardCharsets.UTF_8);
    }
}
