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
    CACHE
}
