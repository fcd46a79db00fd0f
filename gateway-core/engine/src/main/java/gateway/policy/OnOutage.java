package gateway.policy;

/// What a policy does when something it depends on is away.
public enum OnOutage {
    /// Lets the request pass.
    ALLOW,
    /// Answers 503 with `Retry-After`.
    DENY,
    /// Decides with this node's own memory.
    LOCAL
}
