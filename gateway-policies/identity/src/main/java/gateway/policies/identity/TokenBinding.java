package gateway.policies.identity;

/// What a token has to be bound to, so that whoever stole it cannot use it.
enum TokenBinding {
    NONE,
    /// The certificate of the TLS connection (RFC 8705).
    CERTIFICATE
}
