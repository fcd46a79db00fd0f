package gateway.policies.identity;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// What became of the tokens that came, by the type of the policy that asked for them.
///
/// @param remembered found good without another look
/// @param verified found good now
record TokenMeters(Counter remembered, Counter verified, Counter refused) {
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
}
