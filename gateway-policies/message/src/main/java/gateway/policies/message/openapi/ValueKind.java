package gateway.policies.message.openapi;

/// What a text may be read as.
enum ValueKind {
    NUMBER,
    BOOLEAN,
    TEXT,
    ARRAY,
    OBJECT
}
