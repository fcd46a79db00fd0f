package gateway.policies.message.jose;

/// How a signed or encrypted message is written.
enum JoseForm {
    /// Parts in base64url between dots (RFC 7515 §7.1, RFC 7516 §7.1).
    COMPACT,
    /// A JSON object with one signature or one recipient (RFC 7515 §7.2, RFC 7516 §7.2).
    JSON,
    /// A signature in a field beside the body, which stays as it is (RFC 7515 appendix F, RFC 7797).
    DETACHED
}
