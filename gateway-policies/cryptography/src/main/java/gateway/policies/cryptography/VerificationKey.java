package gateway.policies.cryptography;

import org.jspecify.annotations.Nullable;

/// A key that signatures are verified with. Equal when it verifies the same: key, id and use.
public final class VerificationKey {
    private final String id;
    private final String algorithm;
    private final KeyKind kind;
    private final String digest;
    private final SignatureCheck check;

    /// @param id its `kid`; empty text: none
    /// @param algorithm the only one that it is for; empty text: each of its kind
    /// @param digest of the key itself
    VerificationKey(String id, String algorithm, KeyKind kind, String digest, SignatureCheck check) {
        this.id = id;
        this.algorithm = algorithm;
        this.kind = kind;
        this.digest = digest;
        this.check = check;
    }

    /// Its `kid`; empty text: none.
    public String id() {
        return id;
    }

    public KeyKind kind() {
        return kind;
    }

    public boolean fits(SigningAlgorithm other) {
        if (kind != other.kind()) return false;
        // RFC 8037 calls by one word what RFC 9864 calls by another.
        return algorithm.isEmpty() || kind == KeyKind.ED25519 || algorithm.equals(other.word());
    }

    public boolean hasSigned(SignedContent content) {
        return check.holds(content);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VerificationKey key
                && kind == key.kind
                && digest.equals(key.digest)
                && id.equals(key.id)
                && algorithm.equals(key.algorithm);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return id.isEmpty() ? kind.name() : kind + " " + id;
    }
}
