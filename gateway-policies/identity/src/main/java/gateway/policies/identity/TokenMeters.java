package gateway.policies.identity;

import gateway.http.Exchange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// What became of the tokens that came, by the type of the policy that asked for them. Those of supposed requests did
/// not come.
final class TokenMeters {
    private final Counter remembered;
    private final Counter verified;
    private final Counter refused;

    private TokenMeters(Counter remembered, Counter verified, Counter refused) {
        this.remembered = remembered;
        this.verified = verified;
        this.refused = refused;
    }

    static TokenMeters of(MeterRegistry meters, String policy) {
        return new TokenMeters(
                counter(meters, policy, "remembered"),
                counter(meters, policy, "verified"),
                counter(meters, policy, "refused"));
    }

    private static Counter counter(MeterRegistry meters, String policy, String result) {
        return Counter.builder("gateway.tokens")
                .description("Tokens that callers have shown")
                .tags("policy", policy, "result", result)
                .register(meters);
    }

    /// That of `exchange` was found good without another look.
    void remembered(Exchange exchange) {
        count(remembered, exchange);
    }

    /// It was found good now.
    void verified(Exchange exchange) {
        count(verified, exchange);
    }

    void refused(Exchange exchange) {
        count(refused, exchange);
    }

    private static void count(Counter counter, Exchange exchange) {
        if (!exchange.isSupposed()) counter.increment();
    }
}
