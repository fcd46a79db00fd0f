package gateway.policies.cryptography;

import gateway.json.ConfigNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// What is asked of the times in a token (RFC 7519 §4.1.4 to 4.1.6).
///
/// @param requireExpiry whether it has to say when it ends
/// @param maxAge the longest from when it was given out to its end; empty: any
/// @param clockSkew by how much clocks may differ: a token may come so much before its begin, or behind its end
public record TokenTimes(boolean requireExpiry, Optional<Duration> maxAge, Duration clockSkew) {
    private static final long LATEST = 253_402_300_799L; // of year 9999, in seconds
    private static final long NONE = -1;
    private static final long BROKEN = -2;

    public static TokenTimes read(ConfigNode node) {
        var maxAge = node.field("maxAge", "longest `exp` - `iat` that is taken").unlessGiven("any");
        return new TokenTimes(
                node.field("requireExpiry", "refuse tokens without `exp`").bool(true),
                maxAge.isPresent()
                        ? Optional.of(maxAge.duration(Duration.ofSeconds(1), Duration.ofDays(366)))
                        : Optional.empty(),
                node.field("clockSkew", "by how much clocks may differ")
                        .duration(Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(30)));
    }

    /// Whether the times of these claims hold.
    ///
    /// @param now in milliseconds
    public boolean hold(JsonNode claims, long now) {
        return flaw(claims, now).isEmpty();
    }

    /// @param now in milliseconds
    public Optional<TokenFlaw> flaw(JsonNode claims, long now) {
        long expires = seconds(claims, "exp");
        long issued = seconds(claims, "iat");
        long begins = seconds(claims, "nbf");
        if (expires == BROKEN || issued == BROKEN || begins == BROKEN) return Optional.of(TokenFlaw.TIMES);
        if (expires == NONE && (requireExpiry || maxAge.isPresent())) return Optional.of(TokenFlaw.NO_EXPIRY);
        long skew = clockSkew.toMillis();
        if (expires != NONE && now - skew >= expires * 1_000) return Optional.of(TokenFlaw.EXPIRED);
        if (begins > 0 && now + skew < begins * 1_000) return Optional.of(TokenFlaw.NOT_YET_VALID);
        if (issued > 0 && now + skew < issued * 1_000) return Optional.of(TokenFlaw.NOT_YET_VALID);
        boolean tooLong = maxAge.isPresent()
                && (issued == NONE || expires - issued > maxAge.get().toSeconds());
        return tooLong ? Optional.of(TokenFlaw.VALID_FOR_TOO_LONG) : Optional.empty();
    }

    /// When a token without flaw ends, in milliseconds, what clocks may differ included; empty: it does not say.
    public OptionalLong end(JsonNode claims) {
        long expires = seconds(claims, "exp");
        return expires < 0 ? OptionalLong.empty() : OptionalLong.of(expires * 1_000 + clockSkew.toMillis());
    }

    /// [#NONE] when there is none, [#BROKEN] when it is no time.
    private static long seconds(JsonNode claims, String name) {
        JsonNode value = claims.get(name);
        if (value == null) return NONE;
        if (!value.isNumber()) return BROKEN;
        double seconds = value.asDouble(Double.NaN);
        return seconds >= 0 && seconds <= LATEST ? (long) seconds : BROKEN; // NaN is neither
    }
}
