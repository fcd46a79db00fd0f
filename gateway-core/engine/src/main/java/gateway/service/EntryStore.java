package gateway.service;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Entries that the nodes of a store share, bytes with an end, behind what each node keeps itself. Entries of one group
/// are forgotten together. An entry may go before its end.
public interface EntryStore {
    /// Bytes of the largest entry.
    int MOST_BYTES = 256 << 10;

    /// Of a node that shares with nobody: nothing is found or kept.
    EntryStore NONE = new EntryStore() {
        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public Found find(EntryName name) {
            return new Found("", Optional.empty());
        }

        @Override
        public void keep(EntryName name, String state, byte[] entry, Duration keep) {}

        @Override
        public void forget(String group) {}

        @Override
        public AutoCloseable watch(Consumer<String> forgotten, Runnable missed) {
            return () -> {};
        }
    };

    /// Whether there are others to share with.
    default boolean isShared() {
        return true;
    }

    /// What stands under `name` now.
    ///
    /// @throws DependencyException when that cannot be known within the store's deadline
    Found find(EntryName name);

    /// Keeps `entry` in place of what was there, unless its group was forgotten since it was in `state`. Nobody waits
    /// for it: where the store is away, full or busy, nothing is kept.
    ///
    /// @param state of the group when what the entry is made of was asked for
    /// @param entry at most [#MOST_BYTES]; others are not kept
    void keep(EntryName name, String state, byte[] entry, Duration keep);

    /// Has all of `group` forgotten, at the latest when the store is there again: until then this node finds none of
    /// it.
    void forget(String group);

    /// Who is told of what other nodes have forgotten, within two seconds of the store being there.
    ///
    /// @param forgotten is told of a group
    /// @param missed is told when nobody can say any more which groups they were: it may be all of them
    AutoCloseable watch(Consumer<String> forgotten, Runnable missed);

    /// What [#find] finds.
    ///
    /// @param state of its group, for [#keep]
    record Found(String state, Optional<byte[]> entry) {}
}
