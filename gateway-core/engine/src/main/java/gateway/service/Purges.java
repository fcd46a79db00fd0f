package gateway.service;

import java.util.List;

/// Tells all nodes of the store what their caches are not to give any more.
public interface Purges {
    /// What this node has heard.
    PurgeLog log();

    /// Tells of `purge`: this node has heard of it when this returns, the others do within two seconds.
    ///
    /// @throws DependencyException when it cannot be told; whether anybody hears of it then is open
    void tell(CachePurge purge);

    /// Tells of `purges` now, or as soon as the store is there again.
    void tellInTime(List<CachePurge> purges);
}
