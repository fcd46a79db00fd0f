package gateway.policies.identity;

import gateway.http.ClientCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.w3c.dom.Element;

/// What is asked of a signed assertion.
///
/// @param recipient where it has to be shown, when it says where; empty: not asked
/// @param maxAge since who it is about has proved that, or since it was made where it does not say when that was
/// @param clockSkew by how much clocks may differ
/// @param statement whether it has to say when and where it may be shown, as answers to browsers do
record AssertionRules(
        String issuer,
        String audience,
        Optional<String> recipient,
        Duration maxAge,
        Duration clockSkew,
        TokenBinding boundTo,
        boolean once,
        boolean statement) {
    private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

    /// @throws BadAssertionException when it does not hold for who shows it now
    void check(SamlAssertion assertion, Instant now, Optional<ClientCertificate> shown) {
        if (!assertion.issuer().equals(issuer)) throw new BadAssertionException(AssertionFlaw.ISSUER);
        checkTimes(assertion, now);
        if (!isForUs(assertion)) throw new BadAssertionException(AssertionFlaw.AUDIENCE);
        AssertionFlaw flaw = AssertionFlaw.CONFIRMATION;
        for (SamlConfirmation each : assertion.confirmations()) {
            Optional<AssertionFlaw> found = flaw(each, now, shown);
            if (found.isEmpty()) return;
            flaw = found.get();
        }
        throw new BadAssertionException(flaw);
    }

    /// @param response around an assertion. It may not be signed itself, so it can only make things worse
    /// @throws BadAssertionException when it is no good news, or for somebody else
    void checkResponse(Element response) {
        Element status = SamlElement.protocol("Status").onlyIn(response, AssertionFlaw.STATUS);
        Element code = SamlElement.protocol("StatusCode").onlyIn(status, AssertionFlaw.STATUS);
        if (!code.getAttribute("Value").equals(SUCCESS)) throw new BadAssertionException(AssertionFlaw.STATUS);
        Optional<String> from = SamlElement.saml("Issuer").in(response).map(SamlElement::text);
        if (from.isPresent() && !from.get().equals(issuer)) throw new BadAssertionException(AssertionFlaw.ISSUER);
        String destination = response.getAttribute("Destination");
        boolean elsewhere = recipient.isPresent() && !destination.isEmpty() && !destination.equals(recipient.get());
        if (elsewhere) throw new BadAssertionException(AssertionFlaw.RECIPIENT);
    }

    /// From when on it is refused.
    Instant end(SamlAssertion assertion) {
        return assertion.end().plus(clockSkew);
    }

    private void checkTimes(SamlAssertion assertion, Instant now) {
        if (isOver(assertion.end(), now)) throw new BadAssertionException(AssertionFlaw.EXPIRED);
        if (assertion.begin().filter(it -> isAhead(it, now)).isPresent() || isAhead(assertion.issued(), now)) {
            throw new BadAssertionException(AssertionFlaw.NOT_YET_VALID);
        }
        if (assertion.sessionEnd().filter(it -> isOver(it, now)).isPresent()) {
            throw new BadAssertionException(AssertionFlaw.EXPIRED);
        }
        if (statement && assertion.authenticated().isEmpty()) throw new BadAssertionException(AssertionFlaw.TIMES);
        Instant proved = assertion.authenticated().orElse(assertion.issued());
        if (isAhead(proved, now)) throw new BadAssertionException(AssertionFlaw.NOT_YET_VALID);
        if (isOver(proved.plus(maxAge), now)) throw new BadAssertionException(AssertionFlaw.TOO_OLD);
    }

    private boolean isForUs(SamlAssertion assertion) {
        for (var each : assertion.audiences()) if (!each.contains(audience)) return false;
        return !assertion.audiences().isEmpty();
    }

    private Optional<AssertionFlaw> flaw(SamlConfirmation way, Instant now, Optional<ClientCertificate> shown) {
        boolean holder = way.method().equals(SamlConfirmation.HOLDER_OF_KEY);
        boolean bearer = way.method().equals(SamlConfirmation.BEARER) && boundTo == TokenBinding.NONE;
        if (!holder && !bearer) return Optional.of(AssertionFlaw.CONFIRMATION);
        if (holder
                && shown.filter(it -> way.certificates().contains(it.sha256())).isEmpty()) {
            return Optional.of(AssertionFlaw.CONFIRMATION);
        }
        if (statement && (way.end().isEmpty() || way.recipient().isEmpty())) {
            return Optional.of(AssertionFlaw.CONFIRMATION);
        }
        if (way.end().filter(it -> isOver(it, now)).isPresent()) return Optional.of(AssertionFlaw.EXPIRED);
        if (way.begin().filter(it -> isAhead(it, now)).isPresent()) return Optional.of(AssertionFlaw.NOT_YET_VALID);
        if (recipient.isPresent()
                && way.recipient().filter(it -> !it.equals(recipient.get())).isPresent()) {
            return Optional.of(AssertionFlaw.RECIPIENT);
        }
        return Optional.empty();
    }

    private boolean isOver(Instant end, Instant now) {
        return !now.minus(clockSkew).isBefore(end);
    }

    private boolean isAhead(Instant begin, Instant now) {
        return now.plus(clockSkew).isBefore(begin);
    }
}
