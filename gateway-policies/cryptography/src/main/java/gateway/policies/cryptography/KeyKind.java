package gateway.policies.cryptography;

/// What a key is, as far as algorithms need one of it.
public enum KeyKind {
    RSA,
    P256,
    P384,
    P521,
    ED25519,
    SECRET
}
