package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.MessageKey;
import gateway.policies.identity.MessageSigners.Signer;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import gateway.service.Workers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks each request for a signature of one who may sign.
///
/// @param decoy looked at instead of the key of one whom nobody knows
/// @param place names what is remembered of signatures that may come once
/// @param facts what is said of the signature is found by, by the policies that follow
/// @param accepted what an unsigned request is told to sign; empty: nothing
record SignatureAuthentication(
        HttpSignature spec,
        SignatureForm form,
        MessageSigners signers,
        MessageKey decoy,
        KeyedCallers keyed,
        ShortTerm used,
        Workers workers,
        InstantSource clock,
        String api,
        String place,
        String facts,
        String challenge,
        Optional<String> accepted,
        TokenMeters meters)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSignature.class);

    static SignatureAuthentication compile(HttpSignature spec, PolicyPlace placement, Services services) {
        SignatureRules rules = spec.rules();
        KeyedCallers keyed = KeyedCallers.of(services);
        return new SignatureAuthentication(
                spec,
                SignatureForm.of(rules),
                MessageSigners.compile(spec, placement.api(), keyed, services),
                MessageKey.decoy(),
                keyed,
                services.shortTerm(),
                services.workers(),
                services.clock(),
                placement.api(),
                placement.counter(),
                placement.facts(),
                rules.challenge(placement.api()),
                rules.accepted(),
                TokenMeters.of(services.meters(), "http-signature"));
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return form.shownAt(exchange);
    }

    @Override
    public void strip(Exchange exchange) {
        if (!spec.forwardCredential()) form.strip(exchange);
    }

    @Override
    public Verdict apply(Exchange exchange) {
        Verdict verdict = exchange.authenticationWaived() ? Verdict.proceed() : decide(exchange, clock.millis());
        strip(exchange); // not before: the fields themselves may be signed
        return verdict;
    }

    private Verdict decide(Exchange exchange, long now) {
        if (form.shownAt(exchange) == null) return refusal(exchange, "The signature is missing");
        try {
            SignatureClaim claim = form.read(exchange, now);
            Signer signer = verified(claim);
            if (spec.rules().once() && !isFirst(claim, now)) throw new BadSignatureException(SignatureFlaw.USED);
            meters.verified(exchange);
            return passed(exchange, claim, signer);
        } catch (BadSignatureException e) {
            meters.refused(exchange);
            LOG.debug("{}: a signature is refused: {}", place, e.flaw());
            return e.flaw() == SignatureFlaw.SEVERAL
                    ? ambiguous(exchange)
                    : refusal(exchange, "The signature is " + e.flaw().told());
        }
    }

    private Signer verified(SignatureClaim claim) {
        byte[] base = claim.base().getBytes(StandardCharsets.ISO_8859_1);
        byte[] signature = Base64.getDecoder().decode(claim.signature());
        List<Signer> known = signers.of(claim.keyId());
        SignatureFlaw flaw = known.isEmpty() ? SignatureFlaw.UNKNOWN_KEY : SignatureFlaw.ALGORITHM;
        for (int i = 0; i < known.size(); i++) {
            Signer signer = known.get(i);
            if (!isCalled(signer.algorithm(), claim)) continue;
            if (hasSigned(signer, base, signature)) return signer;
            flaw = SignatureFlaw.SIGNATURE;
        }
        if (flaw != SignatureFlaw.SIGNATURE) decoy.hasSigned(base, signature);
        throw new BadSignatureException(flaw);
    }

    private boolean hasSigned(Signer signer, byte[] base, byte[] signature) {
        return signer.key().isSlow()
                ? workers.callBriefly(api, () -> signer.key().hasSigned(base, signature))
                : signer.key().hasSigned(base, signature);
    }

    private boolean isCalled(MessageAlgorithm algorithm, SignatureClaim claim) {
        return claim.algorithm().isEmpty()
                || algorithm.isCalled(claim.algorithm().get(), spec.rules().profile());
    }

    private boolean isFirst(SignatureClaim claim, long now) {
        var name = ShortTermName.of(ShortTermUse.REPLAY, place + '/' + claim.keyId(), claim.once());
        return ShortTermValue.ofOnce(
                        Duration.ofMillis(claim.end() - now), spec.rules().clockSkew())
                .filter(taken -> used.putIfAbsent(name, taken))
                .isPresent();
    }

    private Verdict passed(Exchange exchange, SignatureClaim claim, Signer signer) {
        ObjectNode said = Json.mapper().createObjectNode();
        said.put("keyid", claim.keyId());
        ArrayNode covered = said.putArray("covered");
        for (String each : claim.covered()) covered.add(each);
        exchange.found(facts, said);
        if (claim.digest().isPresent()) {
            exchange.found(
                    BodyDigest.FACT,
                    Json.mapper().getNodeFactory().stringNode(claim.digest().get()));
        }
        if (signer.apiKey() != null) return keyed.decide(exchange, signer.apiKey(), "signature", challenge);
        exchange.authenticated(signer.caller());
        return Verdict.proceed();
    }

    private Verdict refusal(Exchange exchange, String detail) {
        Response response = Problem.of("unauthenticated", 401, "Authentication required", detail)
                .toResponse(exchange.requestId())
                .with("WWW-Authenticate", challenge);
        return Verdict.stop(accepted.isPresent() ? response.with("Accept-Signature", accepted.get()) : response);
    }

    /// A server behind the gateway might take the other one.
    private static Verdict ambiguous(Exchange exchange) {
        return Verdict.stop(
                Problem.of("ambiguous-credentials", 400, "Bad request", "The request has several signatures")
                        .toResponse(exchange.requestId()));
    }
}
