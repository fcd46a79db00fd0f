package gateway.policy;

/// When in a request a policy runs. Steps are sorted by stage, then by their order in the definition.
public enum Stage {
    /// Before anybody is known: IP filters, CORS, path rules, size limits.
    GUARD,
    AUTHENTICATE,
    AUTHORIZE,
    /// Rate limits and quotas.
    LIMIT,
    VALIDATE,
    TRANSFORM,
    /// What is answered without the upstream: mocks, stored answers.
    CACHE,
    /// What is done to a request that really goes out, for its upstream alone: credentials and signatures.
    /// Retries go out with the same; mirrors get none of it. Sees the upstream's answer first.
    UPSTREAM
}
