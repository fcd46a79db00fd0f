package gateway.policies.message.jose;

import gateway.http.Exchange;
import gateway.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Verifies the signatures of messages with the keys of those who may have made them.
record SignatureVerification(VerifyStep step, KnownSigners signers, JosePlace place) implements JoseAction {
    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        Optional<SignedMessage> shown = shown(message);
        if (shown.isEmpty() && step.optional() && !isMeant(message)) return;
        SignedMessage signed = shown.orElseThrow(() -> new BadJoseException("nothing that is signed"));
        if (!step.algorithms().contains(signed.algorithm())) throw new BadJoseException("another algorithm");
        String signer = signers.signer(signed, exchange)
                .orElseThrow(() -> new BadJoseException("signed by nobody who is known"));
        Optional<JsonNode> claims = claims(signed);
        if (message.isRequest()) tell(exchange, signed, signer, claims);
        if (step.form() != JoseForm.DETACHED) {
            message.opened(
                    step.part(), signed.payload(), signed.header().contentType().orElse(step.media()));
        }
    }

    private boolean isMeant(JoseMessage message) {
        return JoseKind.SIGNED.isMeant(message, step.part(), step.form());
    }

    /// What can be seen to be signed, well or badly.
    private Optional<SignedMessage> shown(JoseMessage message) {
        return switch (step.form()) {
            case COMPACT ->
                message.text(step.part())
                        .filter(text -> JoseText.isCompact(text, 3, "alg"))
                        .map(SignedMessage::ofCompact);
            case JSON ->
                message.object(step.part()).filter(JoseKind.SIGNED::isIn).map(SignedMessage::ofJson);
            case DETACHED ->
                message.field(step.detached().header())
                        .map(text ->
                                SignedMessage.ofDetached(text, step.detached().payload(message, true)));
        };
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
