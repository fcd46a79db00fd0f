package gateway.policies.message.jose;

import gateway.http.Exchange;
import com.nimbusds.jose.jwk.KeyUse;
import gateway.json.Json;
import gateway.policies.identity.Cryptography;
import gateway.policies.identity.KeyKind;
import gateway.policies.identity.KeyOrigin;
import gateway.policies.identity.KeySet;
import gateway.policies.identity.KeySource;
import gateway.policies.identity.KeySources;
import gateway.policies.identity.PublicKeys;
import gateway.policies.identity.SigningAlgorithm;
import gateway.policies.identity.VerificationKey;
import gateway.service.SecretReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Verifies the signatures of messages with the keys of those who are known.
record SignatureVerification(VerifyStep step, KeySource keys, JosePlace place) implements JoseAction {
    static SignatureVerification compile(VerifyStep step, JosePlace place) {
        KeySource keys = step.keys() instanceof KeyOrigin.Shared(SecretReference secret)
                ? shared(secret, step, place)
                : new KeySources(place.services(), place.timeout())
                        .of(step.keys(), step.algorithms(), place.pointer());
        return new SignatureVerification(step, keys, place);
    }

    /// Other than those of tokens such secrets may be JWKs too, and several while one takes the place of another.
    private static KeySource shared(SecretReference secret, VerifyStep step, JosePlace place) {
        int least = step.algorithms().stream()
                .mapToInt(SigningAlgorithm::secretBytes)
                .max()
                .orElse(0);
        List<VerificationKey> found = JoseKeys.ofSecret(place.secret(secret).reveal(), KeyUse.SIGNATURE).stream()
                .filter(each -> each.kind() == KeyKind.SECRET && each.length() >= least)
                .map(each -> PublicKeys.shared(each.key().getEncoded()))
                .toList();
        if (found.isEmpty()) throw place.invalid("secret", "expected a secret of at least " + least + " bytes");
        return KeySource.of(new KeySet(found, 0, true));
    }

    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        boolean detached = step.form() == JoseForm.DETACHED;
        Optional<String> text = detached ? message.field(step.detached().header()) : message.text(step.part());
        if (step.optional() && (text.isEmpty() || !isSigned(text.get()))) return;
        if (text.isEmpty()) throw new BadJoseException("nothing that is signed");
        SignedMessage signed = signed(text.get(), message);
        if (!step.algorithms().contains(signed.algorithm())) throw new BadJoseException("another algorithm");
        VerificationKey signer = signer(signed);
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

    private VerificationKey signer(SignedMessage signed) {
        KeySet known = keys.current();
        Optional<VerificationKey> signer = signer(known, signed);
        if (signer.isEmpty() && !known.isNamed(signed)) {
            signer = keys.newer().flatMap(newer -> signer(newer, signed));
        }
        return signer.orElseThrow(() -> new BadJoseException("signed by nobody who is known"));
    }

    private Optional<VerificationKey> signer(KeySet known, SignedMessage signed) {
        if (!known.hasCandidate(signed)) return Optional.empty();
        boolean slow = Cryptography.ofProcess().isSlow(signed.algorithm().kind());
        return place.work(slow, signed.signed().length, () -> known.signer(signed));
    }

    private Optional<JsonNode> claims(SignedMessage signed) {
        if (step.claims().isEmpty()) return Optional.empty();
        JsonNode claims = JoseHeader.object(signed.payload());
        step.claims().get().require(claims, place.services().clock().millis());
        return Optional.of(claims);
    }

    private void tell(Exchange exchange, SignedMessage signed, VerificationKey signer, Optional<JsonNode> claims) {
        ObjectNode said = Json.mapper()
                .createObjectNode()
                .put("kid", signer.id())
                .put("alg", signed.algorithm().word());
        claims.ifPresent(found -> said.set("claims", found));
        exchange.found(place.facts(), said);
    }
}
