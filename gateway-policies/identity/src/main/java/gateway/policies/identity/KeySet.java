package gateway.policies.identity;

import java.util.List;
import java.util.Optional;

/// The keys of one issuer at one time.
///
/// @param keys those that can be used
/// @param skipped how many others there were: of another kind or use, too short, broken
/// @param anonymous whether the keys have no ids, so that a token's `kid` says nothing
record KeySet(List<VerificationKey> keys, int skipped, boolean anonymous) {
    /// Of the keys that fit a token which names none, so many are tried.
    private static final int MOST_TRIED = 4;

    KeySet {
        keys = List.copyOf(keys);
    }

    /// The one key of whoever names none.
    static KeySet of(VerificationKey only) {
        return new KeySet(List.of(only), 0, true);
    }

    /// The key that has signed the token; empty when none of those that may have has.
    Optional<VerificationKey> signer(CompactToken token) {
        int tried = 0;
        for (VerificationKey key : keys) {
            if (!isCandidate(key, token)) continue;
            if (key.hasSigned(token)) return Optional.of(key);
            if (++tried == MOST_TRIED) break;
        }
        return Optional.empty();
    }

    /// Whether one of the keys may have signed the token.
    boolean hasCandidate(CompactToken token) {
        for (VerificationKey key : keys) if (isCandidate(key, token)) return true;
        return false;
    }

    /// Whether the token names one of the keys, so that no newer set would know better.
    boolean isNamed(CompactToken token) {
        if (anonymous) return true;
        if (token.keyId().isEmpty()) return false;
        for (VerificationKey key : keys) if (key.id().equals(token.keyId())) return true;
        return false;
    }

    boolean contains(VerificationKey key) {
        for (VerificationKey each : keys) if (each.equals(key)) return true;
        return false;
    }

    private boolean isCandidate(VerificationKey key, CompactToken token) {
        if (!key.fits(token.algorithm())) return false;
        return anonymous || token.keyId().isEmpty() || key.id().equals(token.keyId());
    }
}
