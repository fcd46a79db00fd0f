package gateway.policies.message.openapi;

/// What becomes of one kind of message that is not as the document has it.
public enum SideMode {
    ENFORCE,
    /// It is counted and recorded, and passes.
    REPORT,
    /// Nobody looks.
    OFF
}
