package gateway.policies.identity;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.Verdict;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Who calls with a good token.
///
/// @param key id of the API key that the caller stands for
/// @param claims all that is said of the token
record TokenSubject(Consumer consumer, Optional<String> key, JsonNode claims) {
    /// Empty when the claims do not say who it is, or not which key it has where one is asked for.
    ///
    /// @param prefix of the caller's id, such as `jwt:corp/`
    static Optional<TokenSubject> of(ConsumerClaims named, JsonNode claims, String prefix) {
        Optional<Consumer> consumer = named.consumer(claims, prefix);
        Optional<String> key = named.key().flatMap(claim -> claim.text(claims));
        if (consumer.isEmpty() || (named.key().isPresent() && key.isEmpty())) return Optional.empty();
        return Optional.of(new TokenSubject(consumer.get(), key, claims));
    }

    /// Names the caller, and leaves the claims as facts: for those who ask who has found them, and for all others.
    ///
    /// @param facts what the one who has found them is called
    /// @param challenge of a 401 for a key that is none
    Verdict admit(Exchange exchange, String facts, KeyedCallers keyed, String challenge) {
        exchange.found(facts, claims);
        exchange.found(Exchange.CLAIMS, claims);
        if (key.isPresent()) return keyed.decide(exchange, key.get(), "token", challenge);
        exchange.authenticated(consumer);
        return Verdict.proceed();
    }
}
