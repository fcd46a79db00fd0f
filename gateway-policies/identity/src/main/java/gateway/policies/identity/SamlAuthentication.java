package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policies.standard.CredentialRefusal;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/// Asks each request for an assertion.
///
/// @param place names what is remembered of assertions that may come once
/// @param facts what assertions say is found by, by the policies that follow
record SamlAuthentication(
        SamlSource source,
        AssertionSignature signature,
        AssertionRules rules,
        ConsumerClaims consumer,
        boolean remove,
        KeyedCallers keyed,
        ShortTerm used,
        InstantSource clock,
        String place,
        String facts,
        String challenge,
        TokenMeters meters)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(Saml.class);

    static SamlAuthentication compile(Saml saml, PolicyPlace placement, Services services) {
        return new SamlAuthentication(
                SamlSource.of(saml.from()),
                new AssertionSignature(saml.trust().signers(services), saml.algorithms()),
                saml.rules(),
                saml.consumer(),
                saml.remove(),
                KeyedCallers.of(services),
                services.shortTerm(),
                services.clock(),
                placement.counter(),
                placement.step().substring(placement.step().lastIndexOf('/') + 1),
                "SAML realm=\"" + placement.api() + '"',
                TokenMeters.of(services.meters(), "saml"));
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return source.shownAt(exchange);
    }

    @Override
    public void strip(Exchange exchange) {
        if (remove) source.strip(exchange);
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (exchange.authenticationWaived()) {
            strip(exchange);
            return Verdict.proceed();
        }
        try {
            Optional<SamlMessage> message = source.message(exchange);
            if (message.isEmpty()) {
                return CredentialRefusal.unauthenticated(exchange, challenge, "The assertion is missing");
            }
            Verdict verdict = decide(exchange, message.get());
            if (remove) source.strip(exchange, message.get()); // not before: it is what is verified
            return verdict;
        } catch (BadAssertionException e) {
            meters.refused().increment();
            LOG.debug("{}: an assertion is refused: {}", place, e.flaw());
            String detail = "The assertion is " + e.flaw().told();
            return CredentialRefusal.unauthenticated(exchange, challenge, detail);
        }
    }

    private Verdict decide(Exchange exchange, SamlMessage message) {
        Instant now = clock.instant();
        SamlAssertion assertion = AssertionReader.read(signed(message));
        rules.check(assertion, now, exchange.clientCertificate());
        TokenSubject subject = TokenSubject.of(consumer, assertion.claims(), "saml:")
                .orElseThrow(() -> new BadAssertionException(AssertionFlaw.SUBJECT));
        if ((rules.once() || assertion.once()) && !isFirst(assertion, now)) {
            throw new BadAssertionException(AssertionFlaw.USED);
        }
        meters.verified().increment();
        return subject.admit(exchange, facts, keyed, challenge);
    }

    /// The assertion as it was signed, by itself or within its response.
    private Element signed(SamlMessage message) {
        Element signed = signature.verified(message);
        if (SamlElement.RESPONSE.is(message.outer())) rules.checkResponse(message.outer());
        return SamlElement.ASSERTION.is(signed)
                ? signed
                : SamlElement.ASSERTION.onlyIn(signed, AssertionFlaw.STRUCTURE);
    }

    private boolean isFirst(SamlAssertion assertion, Instant now) {
        Duration left = Duration.between(now, rules.end(assertion));
        if (left.compareTo(ShortTermValue.LONGEST) > 0) return false; // nothing is remembered for so long
        var name = ShortTermName.of(ShortTermUse.REPLAY, place + '/' + assertion.issuer(), assertion.id());
        return used.putIfAbsent(name, new ShortTermValue("", left));
    }
}
