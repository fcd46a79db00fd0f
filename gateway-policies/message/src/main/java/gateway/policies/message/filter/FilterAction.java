package gateway.policies.message.filter;

/// What becomes of a message in which a rule finds something.
enum FilterAction {
    REFUSE,
    /// What was found gives way to `***`; in bodies alone.
    MASK,
    /// It is recorded.
    REPORT
}
