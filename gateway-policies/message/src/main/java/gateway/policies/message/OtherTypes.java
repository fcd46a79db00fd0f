package gateway.policies.message;

/// What becomes of messages with content of a type that a check does not look at.
public enum OtherTypes {
    REFUSE,
    PASS
}
