package gateway.policies.message.openapi;

/// What becomes of requests with a path or method that the document does not have.
public enum UnknownPaths {
    REFUSE,
    PASS
}
