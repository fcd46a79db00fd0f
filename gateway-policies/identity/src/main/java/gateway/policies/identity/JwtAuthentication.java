package gateway.policies.identity;

import gateway.http.ClientCertificate;
import gateway.http.Exchange;
import gateway.policies.cryptography.KeySet;
import gateway.policies.cryptography.TokenFlaw;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks each request for a token. One that was found good a short while ago costs a SHA-256 and a look-up.
///
/// @param place names what is remembered of tokens that may come once
/// @param facts what the claims are found by, by the policies that follow
record JwtAuthentication(
        Jwt jwt,
        TokenCheck check,
        VerifiedTokens verified,
        KeyedCallers keyed,
        ShortTerm used,
        InstantSource clock,
        String place,
        String facts,
        BearerChallenge asked,
        TokenMeters meters)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(Jwt.class);

    /// All that tokens are judged by: where it differs, nothing is shared.
    ///
    /// @param local keys that the definition holds or refers to
    private record Asked(
            List<TokenIssuer> issuers,
            TokenCheck.Rules rules,
            Duration cacheFor,
            Duration timeout,
            List<KeySet> local) {}

    static JwtAuthentication compile(Jwt jwt, PolicyPlace placement, Services services) {
        var signed = SignedTokens.compile(jwt.issuers(), "/issuers", jwt.timeout(), placement, services);
        var asked = new Asked(jwt.issuers(), jwt.rules(), jwt.cacheFor(), jwt.timeout(), signed.local());
        var verified = services.shared(
                new VerifiedTokens.Id(asked),
                VerifiedTokens.class,
                () -> VerifiedTokens.create(jwt.cacheFor(), services.clock()));
        return new JwtAuthentication(
                jwt,
                new TokenCheck(signed, jwt.rules()),
                verified,
                KeyedCallers.of(services),
                services.shortTerm(),
                services.clock(),
                placement.counter(),
                placement.facts(),
                BearerChallenge.of(placement.api()),
                TokenMeters.of(services.meters(), "jwt"));
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return jwt.places().shownAt(exchange);
    }

    @Override
    public void strip(Exchange exchange) {
        if (!jwt.forwardCredential()) jwt.places().strip(exchange);
    }

    @Override
    public String challenge() {
        return asked.plain();
    }

    @Override
    public Verdict apply(Exchange exchange) {
        boolean waived = exchange.authenticationWaived();
        List<String> tokens = waived ? List.of() : jwt.places().tokens(exchange);
        strip(exchange);
        if (waived) return Verdict.proceed();
        if (tokens.isEmpty()) return asked.missing(exchange);
        if (tokens.size() > 1) return BearerChallenge.ambiguous(exchange);
        String token = tokens.getFirst();
        return token.length() > CompactToken.LONGEST
                ? refused(exchange, TokenFlaw.MALFORMED)
                : decide(exchange, token, clock.millis());
    }

    private Verdict decide(Exchange exchange, String text, long now) {
        TokenDigest digest = TokenDigest.of(text);
        VerifiedToken known = verified.find(digest);
        if (known != null) {
            if (check.isGoodStill(known, now)) {
                meters.remembered(exchange);
                return passed(exchange, known, now);
            }
            if (!exchange.isSupposed()) verified.forget(digest);
        }
        return switch (check.check(text, now)) {
            case Checked.Bad<VerifiedToken>(TokenFlaw flaw) -> refused(exchange, flaw);
            case Checked.Good<VerifiedToken>(VerifiedToken token) -> {
                meters.verified(exchange);
                if (!exchange.isSupposed()) verified.put(digest, token);
                yield passed(exchange, token, now);
            }
        };
    }

    private Verdict passed(Exchange exchange, VerifiedToken token, long now) {
        if (jwt.boundTo() == TokenBinding.CERTIFICATE && !isShown(exchange, token)) {
            return refused(exchange, TokenFlaw.CERTIFICATE);
        }
        if (jwt.rules().once() && !isFirst(token, now)) return refused(exchange, TokenFlaw.USED);
        return token.subject().admit(exchange, facts, keyed, asked.invalid());
    }

    private static boolean isShown(Exchange exchange, VerifiedToken token) {
        Optional<ClientCertificate> shown = exchange.clientCertificate();
        return shown.isPresent() && shown.get().sha256().equals(token.certificate());
    }

    private boolean isFirst(VerifiedToken token, long now) {
        var name = ShortTermName.of(
                ShortTermUse.REPLAY, place + '/' + token.subject().consumer().id(), token.id());
        return ShortTermValue.ofOnce(
                        Duration.ofMillis(token.end() - now),
                        jwt.rules().times().clockSkew())
                .filter(taken -> used.putIfAbsent(name, taken))
                .isPresent();
    }

    private Verdict refused(Exchange exchange, TokenFlaw flaw) {
        meters.refused(exchange);
        LOG.debug("{}: a token is refused: {}", place, flaw);
        return asked.refused(exchange, flaw);
    }
}
