package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Secret;
import gateway.http.Span;
import gateway.policies.cryptography.KeyUrls;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policy.Services;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks a security token service about assertions that hold by themselves, unless it has answered a short while ago.
///
/// @param password of its user; empty: it has none
record TokenValidation(
        SecurityTokenService service, ServerCalls calls, Optional<Secret> password, IntrospectedTokens tokens) {
    private static final int MOST_BYTES = 64 << 10;

    /// @param digest of what of the assertion is signed: by that verdicts are remembered, so that whoever has one makes
    ///     no other questions of it
    /// @param xml an element that says itself what its prefixes mean
    @SuppressWarnings("ArrayRecordComponent") // handed on within the package, and compared by nobody
    record Judged(TokenDigest digest, byte[] xml) {}

    /// All that it matters who is asked, and as whom.
    private record Asked(SecurityTokenService service, ConsumerClaims consumer) {}

    static TokenValidation of(SecurityTokenService service, ConsumerClaims consumer, Services services) {
        return new TokenValidation(
                service,
                services.calls().to(service.target(), "/validate"),
                service.user().map(user -> services.secret(user.password())),
                services.shared(
                        new IntrospectedTokens.Id(new Asked(service, consumer)),
                        IntrospectedTokens.class,
                        () -> IntrospectedTokens.create(service.times(), service.concurrency(), services.clock())));
    }

    /// @param expires until when the assertion may be taken, in milliseconds
    /// @param within what waits for it
    /// @throws BadAssertionException when the service calls it invalid
    /// @throws DependencyException when it does not say
    void require(Judged assertion, TokenSubject subject, long expires, @Nullable Span within) {
        if (tokens.fresh(assertion.digest()) != null) return;
        switch (tokens.answer(
                service.target().name(),
                assertion.digest(),
                asked -> judged(assertion.xml(), subject, asked, expires, within))) {
            case IntrospectedTokens.Answer.Active _ -> {}
            case IntrospectedTokens.Answer.Refused _ -> throw new BadAssertionException(AssertionFlaw.INVALIDATED);
        }
    }

    private IntrospectedTokens.Answer judged(
            byte[] assertion, TokenSubject subject, long asked, long expires, @Nullable Span within) {
        if (!ask(assertion, within)) return new IntrospectedTokens.Answer.Refused(TokenFlaw.INACTIVE);
        return tokens.active(subject, asked, expires, assertion.length);
    }

    private boolean ask(byte[] assertion, @Nullable Span within) {
        byte[] envelope = TrustQuestion.written(service.soap(), service.url().toString(), assertion);
        CallRequest plain = service.soap().request(KeyUrls.pathOf(service.url()), TrustQuestion.ACTION, envelope);
        CallRequest request = password.isPresent() && service.user().isPresent()
                ? service.user().get().sign(plain, password.get())
                : plain;
        CallAnswer answer = calls.send(request, new CallBounds(service.times().timeout(), MOST_BYTES), within);
        if (answer.status() != 200) throw unusable("answered " + answer.status() + " to a question about an assertion");
        return TrustQuestion.verdict(answer.bytes())
                .orElseThrow(() -> unusable("does not say whether an assertion is valid"));
    }

    private DependencyException unusable(String why) {
        return new DependencyException(service.target().name(), FailureReason.MALFORMED.word(), why, null);
    }
}
