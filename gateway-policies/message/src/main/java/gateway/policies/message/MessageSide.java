package gateway.policies.message;

/// Which messages a policy looks at.
public enum MessageSide {
    REQUEST,
    RESPONSE,
    BOTH;

    public boolean ofRequests() {
        return this != RESPONSE;
    }

    public boolean ofResponses() {
        return this != REQUEST;
    }
}
