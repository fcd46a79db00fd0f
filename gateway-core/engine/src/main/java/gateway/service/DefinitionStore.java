package gateway.service;

import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// The stored documents of every kind and their history, one source of truth for all nodes.
public interface DefinitionStore {
    /// What is stored now. A folder changed by hand since the last call gains a revision for it.
    ///
    /// @throws gateway.json.InvalidConfigException when a stored document cannot be read as JSON with its id
    DefinitionSet load();

    /// Stores `revision.changes()` atomically and durably.
    ///
    /// @throws ConflictException unless `revision.number()` follows the stored revision directly
    /// @throws OlderNodesException when nodes that cannot read it share the store
    void commit(Revision revision);

    /// Where the contents of resources are kept.
    Contents contents();

    /// Newest first, those with a number below `before` (`Long.MAX_VALUE`: from the newest).
    List<Revision> revisions(long before, int limit);

    Optional<Revision> revision(long number);

    /// Calls `listener` with the new revision number, soon after another node committed one; at the latest after 2 s.
    /// A folder is not watched: it is re-read on demand.
    ///
    /// @return ends the watch
    AutoCloseable watch(LongConsumer listener);
}
