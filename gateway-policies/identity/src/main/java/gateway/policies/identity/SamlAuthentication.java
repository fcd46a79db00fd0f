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
import java.util.List;
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
        SamlSigners signers,
        AssertionSignature signature,
        AssertionRules rules,
        ConsumerClaims consumer,
        Optional<SamlDecryption> decryption,
        Optional<TokenValidation> validation,
        boolean remove,
        AssertionWork work,
        KeyedCallers keyed,
        ShortTerm used,
        InstantSource clock,
        String place,
        String facts,
        String challenge,
        TokenMeters meters)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(Saml.class);

    /// @param message with the assertion in the clear
    /// @param signed the assertion as it was signed
    /// @param by who may have signed it
    private record SignedAssertion(SamlMessage message, Element signed, List<SamlSigner> by, SamlAssertion said) {}

    static SamlAuthentication compile(Saml saml, PolicyPlace placement, Services services) {
        return new SamlAuthentication(
                SamlSource.of(saml.from()),
                saml.trust().signers(services),
                new AssertionSignature(saml.algorithms()),
                saml.rules(),
                saml.consumer(),
                saml.decryption().map(secret -> SamlDecryption.of(secret, services)),
                saml.validation().map(service -> TokenValidation.of(service, saml.consumer(), services)),
                saml.remove(),
                new AssertionWork(services.workers(), placement.api()),
                KeyedCallers.of(services),
                services.shortTerm(),
                services.clock(),
                placement.counter(),
                placement.facts(),
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
            if (!source.mayHave(exchange)) return missing(exchange);
            Optional<SamlMessage> message = work.on(() -> source.message(exchange));
            if (message.isEmpty()) return missing(exchange);
            return decide(exchange, message.get());
        } catch (BadAssertionException e) {
            meters.refused(exchange);
            LOG.debug("{}: an assertion is refused: {}", place, e.flaw());
            String detail = "The assertion is " + e.flaw().told();
            return CredentialRefusal.unauthenticated(exchange, challenge, detail);
        }
    }

    private Verdict missing(Exchange exchange) {
        return CredentialRefusal.unauthenticated(exchange, challenge, "The assertion is missing");
    }

    private void stripped(Exchange exchange, SamlMessage message) {
        var _ = work.on(() -> {
            source.strip(exchange, message);
            return exchange;
        });
    }

    private Verdict decide(Exchange exchange, SamlMessage message) {
        Instant now = clock.instant();
        SignedAssertion signed = signed(message);
        SamlAssertion assertion = signed.said();
        rules.check(assertion, now, exchange.clientCertificate());
        TokenSubject subject = TokenSubject.of(consumer, assertion.claims(), "saml:")
                .orElseThrow(() -> new BadAssertionException(AssertionFlaw.SUBJECT));
        boolean once = rules.once() || assertion.once();
        if (validation.isPresent()) {
            boolean isUsed = once && used.get(name(assertion)).isPresent();
            if (isUsed) throw new BadAssertionException(AssertionFlaw.USED); // whoever has it has nobody asked
            validate(validation.get(), exchange, signed, subject);
        }
        if (remove) stripped(exchange, message); // not before: it is what is verified
        subject.key().ifPresent(keyed::find); // which is at hand from here on
        if (once && !isFirst(exchange, assertion, now)) { // last: what was not decided may come again
            throw new BadAssertionException(AssertionFlaw.USED);
        }
        meters.verified(exchange);
        return subject.admit(exchange, facts, keyed, challenge);
    }

    private void validate(TokenValidation service, Exchange exchange, SignedAssertion signed, TokenSubject subject) {
        TokenValidation.Judged judged = work.on(() -> new TokenValidation.Judged(
                TokenDigest.of(SamlMessage.standalone(signed.signed())),
                signed.message().standalone(signed.by())));
        service.require(judged, subject, rules.end(signed.said()).toEpochMilli(), exchange.span());
    }

    private SignedAssertion signed(SamlMessage message) {
        List<SamlSigner> by = signers.current();
        try {
            return read(message, by);
        } catch (BadAssertionException e) {
            if (e.flaw() != AssertionFlaw.UNKNOWN_KEY) throw e;
            Optional<List<SamlSigner>> newer = signers.newer(by);
            if (newer.isEmpty()) throw e;
            return read(message, newer.get());
        }
    }

    private SignedAssertion read(SamlMessage message, List<SamlSigner> by) {
        return work.on(() -> {
            SamlMessage opened = opened(message, by);
            Element signed = signed(opened, by);
            return new SignedAssertion(opened, signed, by, AssertionReader.read(signed));
        });
    }

    /// What is signed around an assertion that is encrypted has to be good before that is opened.
    private SamlMessage opened(SamlMessage message, List<SamlSigner> by) {
        if (!message.isEncrypted()) return message;
        if (decryption.isEmpty()) throw new BadAssertionException(AssertionFlaw.ENCRYPTED);
        boolean signed = message.isSignedAround();
        if (signed) signature.verified(message, by);
        return decryption.get().opened(message, signed);
    }

    /// The assertion as it was signed, by itself or within its response.
    private Element signed(SamlMessage message, List<SamlSigner> by) {
        Element signed = signature.verified(message, by);
        if (SamlElement.RESPONSE.is(message.outer())) rules.checkResponse(message.outer());
        return SamlElement.ASSERTION.is(signed)
                ? signed
                : SamlElement.ASSERTION.onlyIn(signed, AssertionFlaw.STRUCTURE);
    }

    private boolean isFirst(Exchange exchange, SamlAssertion assertion, Instant now) {
        Duration left = Duration.between(now, rules.end(assertion));
        Optional<ShortTermValue> taken = ShortTermValue.ofOnce(left, rules.clockSkew());
        if (taken.isEmpty()) return false;
        if (exchange.isSupposed()) return used.get(name(assertion)).isEmpty();
        return used.putIfAbsent(name(assertion), taken.get());
    }

    private ShortTermName name(SamlAssertion assertion) {
        return ShortTermName.of(ShortTermUse.REPLAY, place + '/' + assertion.issuer(), assertion.id());
    }
}
