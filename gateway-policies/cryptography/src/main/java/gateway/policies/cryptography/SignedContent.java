package gateway.policies.cryptography;

/// What somebody says to have signed: the octets, the signature, and by which key and algorithm.
public interface SignedContent {
    SigningAlgorithm algorithm();

    /// Of the key; empty text when it names none.
    String keyId();

    /// What was signed.
    byte[] signed();

    /// In base64url.
    String signature();
}
