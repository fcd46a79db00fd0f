package gateway.policy;

/// What a policy asks the shared store for while a request waits.
public enum StoreUse {
    NONE,
    /// API keys; those at hand go on for a while when the store is away.
    KEYS,
    /// Counters; [PolicySpec#onOutage] says what happens when the store is away.
    COUNTERS
}
