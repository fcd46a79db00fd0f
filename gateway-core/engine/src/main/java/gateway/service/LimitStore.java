package gateway.service;

import java.util.List;

/// Counters of rate limits and quotas, shared by all nodes of the store.
///
/// All charges of one request are decided together, in one round trip, and spent all or none: a request that one limit
/// refuses costs the others nothing.
public interface LimitStore {
    /// One permit for each charge, in order. When any is denied, none is spent, and the others say what they would have
    /// granted.
    ///
    /// @throws DependencyException when the shared count cannot be had within the store's deadline
    List<Permit> acquire(List<Charge> charges);

    /// The same without spending: `remaining` is what is left now.
    List<Permit> peek(List<Charge> charges);

    /// Whether an answer takes a round trip to another process.
    default boolean isRemote() {
        return false;
    }
}
