package gateway.policies.cryptography;

import java.util.List;
import java.util.Optional;

/// The keys of one issuer at one time.
///
/// @param keys those that can be used
/// @param skipped how many others there were: of another kind or use, too short, broken
/// @param anonymous whether the keys have no ids, so that a `kid` says nothing
public record KeySet(List<VerificationKey> keys, int skipped, boolean anonymous) {
    /// Of the keys that fit one which names none, so many are tried.
    private static final int MOST_TRIED = 4;

    public KeySet {
        keys = List.copyOf(keys);
    }

    /// The one key of whoever names none.
    public static KeySet of(VerificationKey only) {
        return new KeySet(List.of(only), 0, true);
    }

    /// The key that has signed the content; empty when none of those that may have has.
    public Optional<VerificationKey> signer(SignedContent content) {
        int tried = 0;
        for (VerificationKey key : keys) {
            if (!isCandidate(key, content)) continue;
            if (key.hasSigned(content)) return Optional.of(key);
            if (++tried == MOST_TRIED) break;
        }
        return Optional.empty();
    }

    /// Whether one of the keys may have signed the content.
    public boolean hasCandidate(SignedContent content) {
        for (VerificationKey key : keys) if (isCandidate(key, content)) return true;
        return false;
    }

    /// Whether the content names one of the keys, so that no newer set would know better.
    public boolean isNamed(SignedContent content) {
        if (anonymous) return true;
        if (content.keyId().isEmpty()) return false;
        for (VerificationKey key : keys) if (key.id().equals(content.keyId())) return true;
        return false;
    }

    public boolean contains(VerificationKey key) {
        for (VerificationKey each : keys) if (each.equals(key)) return true;
        return false;
    }

    private boolean isCandidate(VerificationKey key, SignedContent content) {
        if (!key.fits(content.algorithm())) return false;
        return anonymous || content.keyId().isEmpty() || key.id().equals(content.keyId());
    }
}
