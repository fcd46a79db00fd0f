package gateway.policies.identity;

/// How a message carries its signature.
enum SignatureProfile {
    /// `Signature-Input` and `Signature`.
    RFC9421,
    /// draft-cavage-http-signatures: `Authorization: Signature keyId="…",…`.
    DRAFT
}
