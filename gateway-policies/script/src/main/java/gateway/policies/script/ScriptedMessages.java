package gateway.policies.script;

/// Which messages a script is run for.
enum ScriptedMessages {
    REQUEST,
    RESPONSE,
    BOTH;

    boolean areRequests() {
        return this != RESPONSE;
    }

    boolean areResponses() {
        return this != REQUEST;
    }
}
