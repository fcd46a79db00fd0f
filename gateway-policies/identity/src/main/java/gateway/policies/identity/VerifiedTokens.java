package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Tokens that were found good a short while ago, by their digests.
final class VerifiedTokens {
    /// Of policies that ask the same they are shared.
    ///
    /// @param asked all that a token was judged by
    record Id(Record asked) {}

    private static final long MOST_BYTES = 16 << 20;
    private static final int OVERHEAD = 512; // of an entry, whatever it says
    private static final int EXPANSION = 6; // of a token's text to the tree of its claims

    private final Cache<TokenDigest, VerifiedToken> tokens;
    private final Duration keep;

    private VerifiedTokens(Cache<TokenDigest, VerifiedToken> tokens, Duration keep) {
        this.tokens = tokens;
        this.keep = keep;
    }

    /// @param keep how long; zero: not at all
    static VerifiedTokens create(Duration keep, InstantSource clock) {
        Cache<TokenDigest, VerifiedToken> tokens = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((TokenDigest _, VerifiedToken token) -> OVERHEAD + EXPANSION * token.length())
                .expireAfterWrite(keep)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
        return new VerifiedTokens(tokens, keep);
    }

    /// Null when it is not remembered: no object on the way of every request.
    @Nullable
    VerifiedToken find(TokenDigest digest) {
        return tokens.getIfPresent(digest);
    }

    void put(TokenDigest digest, VerifiedToken token) {
        if (!keep.isZero()) tokens.put(digest, token);
    }

    void forget(TokenDigest digest) {
        tokens.invalidate(digest);
    }
}
