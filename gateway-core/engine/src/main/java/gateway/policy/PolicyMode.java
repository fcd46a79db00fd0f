package gateway.policy;

/// What becomes of what a policy refuses.
public enum PolicyMode {
    ENFORCE,
    /// It is counted and recorded, and the request passes.
    REPORT
}
