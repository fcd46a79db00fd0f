package gateway.policy;

/// Who laid a policy on a request. Within a stage policies run in this order.
public enum PolicyLayer {
    /// `before` of the global policies.
    GLOBAL_BEFORE,
    /// The API, or the version that the request is for.
    API,
    /// The operation that the request is for.
    OPERATION,
    /// `after` of the global policies.
    GLOBAL_AFTER,
    /// Another policy, see [PolicySpec#brings].
    BROUGHT
}
