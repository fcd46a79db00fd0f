package gateway.policies.identity;

import gateway.service.Workers;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Finds out whether a token is good: read strictly, of a known issuer, signed by a key of that issuer, and with
/// claims that hold.
final class TokenCheck {
    /// An issuer and where its keys come from.
    record KnownIssuer(TokenIssuer issuer, KeySource keys) {}

    /// What is asked of all tokens, whoever gave them out.
    record Rules(TokenTimes times, List<RequiredClaim> required, ConsumerClaims consumer, boolean once) {
        Rules {
            required = List.copyOf(required);
        }
    }

    private final String api;
    private final Map<String, KeySource> sources;
    private final Map<String, KnownIssuer> byName;
    private final Optional<KnownIssuer> anyName;
    private final Rules rules;
    private final Workers workers;

    /// @param issuers where one has no issuer's name, it is the only one
    TokenCheck(String api, List<KnownIssuer> issuers, Rules rules, Workers workers) {
        this.api = api;
        this.sources = issuers.stream()
                .collect(Collectors.toUnmodifiableMap(each -> each.issuer().name(), KnownIssuer::keys));
        this.byName = issuers.stream()
                .filter(each -> each.issuer().issuer().isPresent())
                .collect(Collectors.toUnmodifiableMap(
                        each -> each.issuer().issuer().orElseThrow(), each -> each));
        this.anyName = issuers.stream()
                .filter(each -> each.issuer().issuer().isEmpty())
                .findFirst();
        this.rules = rules;
        this.workers = workers;
    }

    /// Whether a token that was found good is so still: not ended, and its key not withdrawn.
    ///
    /// @param now in milliseconds
    /// @throws gateway.service.DependencyException when the issuer's keys are too old to tell
    boolean isGoodStill(VerifiedToken token, long now) {
        if (now >= token.end()) return false;
        KeySource source = sources.get(token.issuer());
        return source != null && source.current().contains(token.signer());
    }

    /// @param now in milliseconds
    /// @throws gateway.service.DependencyException when that cannot be found out
    /// @throws gateway.service.WorkersBusyException when too many signatures wait to be verified
    Checked check(String text, long now) {
        Optional<CompactToken> parsed = CompactToken.parse(text);
        if (parsed.isEmpty()) return new Checked.Bad(TokenFlaw.MALFORMED);
        CompactToken token = parsed.get();
        Optional<KnownIssuer> known = issuerOf(token);
        if (known.isEmpty()) return new Checked.Bad(TokenFlaw.ISSUER);
        TokenIssuer issuer = known.get().issuer();
        if (!issuer.algorithms().contains(token.algorithm())) return new Checked.Bad(TokenFlaw.ALGORITHM);
        if (!issuer.takesType(token.type())) return new Checked.Bad(TokenFlaw.TYPE);
        KeySource source = known.get().keys();
        KeySet keys = source.current();
        Optional<VerificationKey> signer = signer(keys, token);
        if (signer.isEmpty() && !keys.isNamed(token)) {
            Optional<KeySet> newer = source.newer();
            if (newer.isEmpty()) return new Checked.Bad(TokenFlaw.UNKNOWN_KEY);
            signer = signer(newer.get(), token);
        }
        return signer.isEmpty() ? new Checked.Bad(TokenFlaw.SIGNATURE) : claims(token, known.get(), signer.get(), now);
    }

    private Optional<KnownIssuer> issuerOf(CompactToken token) {
        if (anyName.isPresent()) return anyName;
        JsonNode name = token.claims().path("iss");
        return name.isString() ? Optional.ofNullable(byName.get(name.stringValue())) : Optional.empty();
    }

    /// What takes long is done where it holds up no other request.
    private Optional<VerificationKey> signer(KeySet keys, CompactToken token) {
        if (!keys.hasCandidate(token)) return Optional.empty();
        return token.algorithm().isCostly() ? workers.call(api, () -> keys.signer(token)) : keys.signer(token);
    }

    private Checked claims(CompactToken token, KnownIssuer known, VerificationKey signer, long now) {
        JsonNode claims = token.claims();
        Optional<TokenFlaw> flaw = rules.times().flaw(claims, now);
        if (flaw.isPresent()) return new Checked.Bad(flaw.get());
        if (!known.issuer().takesAudience(claims)) return new Checked.Bad(TokenFlaw.AUDIENCE);
        for (RequiredClaim each : rules.required()) {
            if (!each.holds(claims)) return new Checked.Bad(TokenFlaw.CLAIMS);
        }
        String id = claims.path("jti").isString() ? claims.path("jti").stringValue() : "";
        if (rules.once() && id.isEmpty()) return new Checked.Bad(TokenFlaw.NO_ID);
        String prefix = "jwt:" + known.issuer().name() + '/';
        Optional<TokenSubject> subject = TokenSubject.of(rules.consumer(), claims, prefix);
        if (subject.isEmpty()) return new Checked.Bad(TokenFlaw.SUBJECT);
        return new Checked.Good(new VerifiedToken(
                subject.get(),
                id,
                certificate(claims),
                rules.times().end(claims).orElse(Long.MAX_VALUE),
                known.issuer().name(),
                signer,
                token.length()));
    }

    /// The SHA-256 of the certificate that the token is bound to (RFC 8705 §3.1), in hexadecimal; empty text: none.
    private static String certificate(JsonNode claims) {
        JsonNode digest = claims.path("cnf").path("x5t#S256");
        if (!digest.isString() || !Base64Url.isCanonical(digest.stringValue())) return "";
        return HexFormat.of().formatHex(Base64.getUrlDecoder().decode(digest.stringValue()));
    }
}
