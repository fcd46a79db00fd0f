package gateway.service;

/// What snapshots use, which begins and ends with its use: an upstream, or a part that policies and upstreams share.
public interface Served {
    /// Requests may come from now on: what watches, refreshes or keeps connections begins here, not when it is made,
    /// since it may be made only to see whether it can be. Told when a snapshot that has it follows one that
    /// had it not.
    default void served() {}

    /// No further request comes; those that have begun go on. Told once for each time that it was [#served], when a
    /// snapshot that has it not follows one that had it. What the new one has is served before: what both have in
    /// common is never without a user.
    default void retired() {}
}
