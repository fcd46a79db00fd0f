package gateway.policies.identity;

import gateway.policies.cryptography.Base64Url;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.cryptography.TokenTimes;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Finds out whether a token is good: signed by an issuer that is known, and with claims that hold.
final class TokenCheck {
    /// What is asked of all tokens, whoever gave them out.
    record Rules(TokenTimes times, List<RequiredClaim> required, ConsumerClaims consumer, boolean once) {
        Rules {
            required = List.copyOf(required);
        }
    }

    private final SignedTokens signed;
    private final Rules rules;

    TokenCheck(SignedTokens signed, Rules rules) {
        this.signed = signed;
        this.rules = rules;
    }

    /// Whether a token that was found good is so still: not ended, and its key not withdrawn.
    ///
    /// @param now in milliseconds
    /// @throws gateway.service.DependencyException when the issuer's keys are too old to tell
    boolean isGoodStill(VerifiedToken token, long now) {
        return now < token.end() && signed.knows(token.issuer(), token.signer());
    }

    /// @param now in milliseconds
    /// @throws gateway.service.DependencyException when that cannot be found out
    /// @throws gateway.service.WorkersBusyException when too many signatures wait to be verified
    Checked<VerifiedToken> check(String text, long now) {
        return switch (signed.verify(text)) {
            case Checked.Bad<SignedToken>(TokenFlaw flaw) -> new Checked.Bad<>(flaw);
            case Checked.Good<SignedToken>(SignedToken token) -> claims(token, now);
        };
    }

    private Checked<VerifiedToken> claims(SignedToken token, long now) {
        JsonNode claims = token.token().claims();
        TokenIssuer issuer = token.issuer();
        Optional<TokenFlaw> flaw = rules.times().flaw(claims, now);
        if (flaw.isPresent()) return new Checked.Bad<>(flaw.get());
        if (!issuer.takesAudience(claims)) return new Checked.Bad<>(TokenFlaw.AUDIENCE);
        for (RequiredClaim each : rules.required()) {
            if (!each.holds(claims)) return new Checked.Bad<>(TokenFlaw.CLAIMS);
        }
        String id = claims.path("jti").isString() ? claims.path("jti").stringValue() : "";
        if (rules.once() && id.isEmpty()) return new Checked.Bad<>(TokenFlaw.NO_ID);
        Optional<TokenSubject> subject = TokenSubject.of(rules.consumer(), claims, issuer.prefix(claims));
        if (subject.isEmpty()) return new Checked.Bad<>(TokenFlaw.SUBJECT);
        return new Checked.Good<>(new VerifiedToken(
                subject.get(),
                id,
                certificate(claims),
                rules.times().end(claims).orElse(Long.MAX_VALUE),
                issuer.name(),
                token.signer(),
                token.token().length()));
    }

    /// The SHA-256 of the certificate that the token is bound to (RFC 8705 §3.1), in hexadecimal; empty text: none.
    private static String certificate(JsonNode claims) {
        JsonNode digest = claims.path("cnf").path("x5t#S256");
        if (!digest.isString() || !Base64Url.isCanonical(digest.stringValue())) return "";
        return HexFormat.of().formatHex(Base64.getUrlDecoder().decode(digest.stringValue()));
    }
}
