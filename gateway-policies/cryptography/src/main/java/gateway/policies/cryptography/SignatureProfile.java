package gateway.policies.cryptography;

/// How a message carries its signature.
public enum SignatureProfile {
    /// `Signature-Input` and `Signature`.
    RFC9421,
    /// draft-cavage-http-signatures: `Authorization: Signature keyId="…",…`.
    DRAFT
}
