package gateway.policies.identity;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.cryptography.TokenTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What is asked of what the server says of an active token.
///
/// @param audiences of which it has to be for one; empty: for anybody
/// @param issuers of whom it has to be from one; empty: from anybody
record IntrospectionRules(
        TokenTimes times,
        Set<String> audiences,
        Set<String> issuers,
        List<RequiredClaim> required,
        ConsumerClaims consumer) {
    IntrospectionRules {
        audiences = Set.copyOf(audiences);
        issuers = Set.copyOf(issuers);
        required = List.copyOf(required);
    }

    static IntrospectionRules read(ConfigNode node) {
        var audiences = node.field("audiences", "of which one has to be in `aud`; `[]` takes tokens for anybody");
        if (!audiences.isPresent()) audiences.problem("expected an array, got nothing; [] says any on purpose");
        var skew = node.field("clockSkew", "by how much clocks may differ")
                .duration(Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(30));
        return new IntrospectionRules(
                new TokenTimes(false, Optional.empty(), skew),
                Set.copyOf(TokenIssuerReader.texts(audiences)),
                Set.copyOf(TokenIssuerReader.texts(
                        node.field("issuers", "of which `iss` has to be one").unlessGiven("any"))),
                RequiredClaim.readAll(node),
                ConsumerClaims.read(
                        node.field("consumer", "which members of the answer, by name or JSON Pointer, say who calls")));
    }

    /// @param now in milliseconds
    Optional<TokenFlaw> flaw(JsonNode claims, long now) {
        Optional<TokenFlaw> flaw = times.flaw(claims, now);
        if (flaw.isPresent()) return flaw;
        if (!audiences.isEmpty() && !TokenIssuer.isFor(audiences, claims.path("aud"))) {
            return Optional.of(TokenFlaw.AUDIENCE);
        }
        if (!issuers.isEmpty() && !issuers.contains(claims.path("iss").asString(""))) {
            return Optional.of(TokenFlaw.ISSUER);
        }
        for (RequiredClaim each : required) if (!each.holds(claims)) return Optional.of(TokenFlaw.CLAIMS);
        return Optional.empty();
    }
}
