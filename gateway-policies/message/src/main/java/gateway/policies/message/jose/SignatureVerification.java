package gateway.policies.message.jose;

import gateway.http.Exchange;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Verifies the signatures of messages with the keys of those who may have made them.
record SignatureVerification(VerifyStep step, KnownSigners signers, JosePlace place) implements JoseAction {
    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        boolean detached = step.form() == JoseForm.DETACHED;
        Optional<String> text = detached ? message.field(step.detached().header()) : message.text(step.part());
        if (step.optional() && (text.isEmpty() || !isSigned(text.get()))) return;
        if (text.isEmpty()) throw new BadJoseException("nothing that is signed");
        SignedMessage signed = signed(text.get(), message);
        if (!step.algorithms().contains(signed.algorithm())) throw new BadJoseException("another algorithm");
        String signer = signers.signer(signed, exchange)
                .orElseThrow(() -> new BadJoseException("signed by nobody who is known"));
        Optional<JsonNode> claims = claims(signed);
        if (message.isRequest()) tell(exchange, signed, signer, claims);
        if (!detached) {
            message.opened(step.part(), signed.payload(), signed.header().contentType().orElse(step.media()));
        }
    }

    private SignedMessage signed(String text, JoseMessage message) {
        return switch (step.form()) {
            case COMPACT -> SignedMessage.ofCompact(text);
            case JSON -> SignedMessage.ofJson(text);
            case DETACHED -> SignedMessage.ofDetached(text, step.detached().payload(message, true));
        };
    }

    /// Whether it is meant to be signed, well or badly.
    private boolean isSigned(String text) {
        try {
            return switch (step.form()) {
                case COMPACT -> isHeader(JoseText.parts(text, 3).getFirst());
                case JSON -> isObject(text);
                case DETACHED -> true;
            };
        } catch (BadJoseException e) {
            return false;
        }
    }

    private static boolean isHeader(String text) {
        return JoseHeader.object(JoseText.decoded(text)).has("alg");
    }

    private static boolean isObject(String text) {
        JsonNode object = JoseHeader.object(text.getBytes(StandardCharsets.UTF_8));
        return object.has("signature") || object.has("signatures");
    }

    private Optional<JsonNode> claims(SignedMessage signed) {
        if (step.claims().isEmpty()) return Optional.empty();
        JsonNode claims = JoseHeader.object(signed.payload());
        step.claims().get().require(claims, place.services().clock().millis());
        return Optional.of(claims);
    }

    private void tell(Exchange exchange, SignedMessage signed, String signer, Optional<JsonNode> claims) {
        ObjectNode said = Json.mapper()
                .createObjectNode()
                .put("kid", signer)
                .put("alg", signed.algorithm().word());
        claims.ifPresent(found -> said.set("claims", found));
        exchange.found(place.facts(), said);
    }
}
