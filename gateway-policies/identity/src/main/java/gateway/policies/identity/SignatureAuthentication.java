package gateway.policies.identity;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
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
import java.util.HashMap;
import java.util.Map;
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
        Map<String, Signer> signers,
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

    /// @param apiKey id of the API key that the caller stands for; null: none
    record Signer(
            MessageAlgorithm algorithm,
            MessageKey key,
            Consumer caller,
            @Nullable String apiKey) {}

    SignatureAuthentication {
        signers = Map.copyOf(signers);
    }

    static SignatureAuthentication compile(HttpSignature spec, PolicyPlace placement, Services services) {
        SignatureRules rules = spec.rules();
        return new SignatureAuthentication(
                spec,
                SignatureForm.of(rules),
                signers(spec, placement.api(), services),
                MessageKey.decoy(),
                KeyedCallers.of(services),
                services.shortTerm(),
                services.workers(),
                services.clock(),
                placement.api(),
                placement.counter(),
                placement.step().substring(placement.step().lastIndexOf('/') + 1),
                rules.challenge(placement.api()),
                rules.accepted(),
                TokenMeters.of(services.meters(), "http-signature"));
    }

    private static Map<String, Signer> signers(HttpSignature spec, String api, Services services) {
        var signers = new HashMap<String, Signer>();
        for (int i = 0; i < spec.keys().size(); i++) {
            MessageSigner each = spec.keys().get(i);
            MessageKey key = each.key(spec.rules().profile(), "/keys/" + i, services);
            signers.put(
                    each.id(),
                    new Signer(
                            each.algorithm(),
                            key,
                            each.caller(api),
                            each.apiKey().orElse(null)));
        }
        return signers;
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
            meters.verified().increment();
            return passed(exchange, claim, signer);
        } catch (BadSignatureException e) {
            meters.refused().increment();
            LOG.debug("{}: a signature is refused: {}", place, e.flaw());
            return e.flaw() == SignatureFlaw.SEVERAL
                    ? ambiguous(exchange)
                    : refusal(exchange, "The signature is " + e.flaw().told());
        }
    }

    private Signer verified(SignatureClaim claim) {
        byte[] base = claim.base().getBytes(StandardCharsets.ISO_8859_1);
        byte[] signature = Base64.getDecoder().decode(claim.signature());
        Signer signer = signers.get(claim.keyId());
        if (signer == null || !isCalled(signer.algorithm(), claim)) {
            decoy.hasSigned(base, signature);
            throw new BadSignatureException(signer == null ? SignatureFlaw.UNKNOWN_KEY : SignatureFlaw.ALGORITHM);
        }
        boolean signed = signer.algorithm().isCostly()
                ? workers.call(api, () -> signer.key().hasSigned(base, signature))
                : signer.key().hasSigned(base, signature);
        if (!signed) throw new BadSignatureException(SignatureFlaw.SIGNATURE);
        return signer;
    }

    private boolean isCalled(MessageAlgorithm algorithm, SignatureClaim claim) {
        return claim.algorithm().isEmpty()
                || algorithm.isCalled(claim.algorithm().get(), spec.rules().profile());
    }

    private boolean isFirst(SignatureClaim claim, long now) {
        var name = ShortTermName.of(ShortTermUse.REPLAY, place + '/' + claim.keyId(), claim.once());
        return used.putIfAbsent(name, new ShortTermValue("", Duration.ofMillis(claim.end() - now)));
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
