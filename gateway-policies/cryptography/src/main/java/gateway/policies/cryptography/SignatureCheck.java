package gateway.policies.cryptography;

/// Verifies with one key. Used by many threads at once.
@FunctionalInterface
public interface SignatureCheck {
    /// Whether the key has signed the content by the algorithm that it names, which is one for such a key.
    boolean holds(SignedContent content);
}
