package gateway.policies.message.jose;

import gateway.http.Exchange;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyKind;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Signs messages with a key of ours.
record Signing(SignStep step, SealingKey key, JosePlace place) implements JoseAction {
    /// What the content of a body is called that was signed in the compact form, or in that with claims.
    static final String JOSE = "application/jose";

    static final String JWT = "application/jwt";
    static final String JOSE_JSON = "application/jose+json";

    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        Optional<byte[]> content = message.content(step.part());
        if (content.isEmpty()) {
            if (step.form() == JoseForm.DETACHED)
                message.removeField(step.detached().header()); // somebody else's
            return;
        }
        switch (step.form()) {
            case DETACHED -> detached(message);
            case COMPACT -> {
                String input = header(message) + '.' + JoseText.encoded(payload(content.get()));
                String media = step.claims().isPresent() ? JWT : JOSE;
                message.closed(step.part(), JoseText.node(input + '.' + signature(ascii(input))), media);
            }
            case JSON -> {
                String header = header(message);
                String payload = JoseText.encoded(payload(content.get()));
                ObjectNode json = Json.mapper().createObjectNode().put("payload", payload);
                json.put("protected", header).put("signature", signature(ascii(header + '.' + payload)));
                message.closed(step.part(), json, JOSE_JSON);
            }
        }
    }

    private void detached(JoseMessage message) {
        String header = header(message);
        byte[] payload = step.detached().payload(message, true);
        String signature = signature(SignedMessage.input(header, payload, step.encoded()));
        message.field(step.detached().header(), header + ".." + signature);
    }

    /// In base64url.
    private String header(JoseMessage message) {
        ObjectNode header =
                Json.mapper().createObjectNode().put("alg", step.algorithm().word());
        String id = step.keyId().isEmpty() ? key.key().id() : step.keyId();
        if (!id.isEmpty()) header.put("kid", id);
        String type = step.type().isEmpty() && step.claims().isPresent() ? "JWT" : step.type();
        if (!type.isEmpty()) header.put("typ", type);
        boolean attached = step.form() != JoseForm.DETACHED;
        if (attached && step.claims().isEmpty() && step.part() instanceof JosePart.Body) {
            message.type().flatMap(MediaName::shortened).ifPresent(name -> header.put("cty", name));
        }
        if (!attached && !step.encoded()) {
            header.put("b64", false).putArray("crit").add("b64");
        }
        return JoseText.encoded(Json.compact(header).getBytes(StandardCharsets.UTF_8));
    }

    private byte[] payload(byte[] content) {
        if (step.claims().isEmpty()) return content;
        ObjectNode claims = step.claims()
                .get()
                .added(object(content), place.services().clock().instant());
        return Json.compact(claims).getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode object(byte[] content) {
        try {
            JsonNode said = Json.parse(content, _ -> {});
            if (said.isObject()) return said;
        } catch (InvalidConfigException e) {
            // told below, as any other content
        }
        throw new UnfitContentException("What is to be signed is no JSON object");
    }

    private String signature(byte[] octets) {
        KeyKind kind = step.algorithm().kind();
        boolean slow = kind == KeyKind.RSA || Cryptography.ofProcess().isSlow(kind);
        return place.work(slow, octets.length, () -> key.sealing().sign(octets));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
