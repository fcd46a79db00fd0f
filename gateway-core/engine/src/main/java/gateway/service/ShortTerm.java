package gateway.service;

import java.util.Optional;

/// Values with an end, shared by all nodes of the store: ids that may come once, sessions, bans.
///
/// The embedded store keeps them in memory, and none outlives the process.
public interface ShortTerm {
    /// Keeps `value` under `name` unless there is one already, which then stays with its end. Of many who come at
    /// once, one is told that it was new.
    ///
    /// @return whether it was new
    /// @throws DependencyException when that cannot be known within the store's deadline, or when there is no room
    /// and the use of `name` lets none go: the caller must not take the value for new
    boolean putIfAbsent(ShortTermName name, ShortTermValue value);

    /// Keeps `value` under `name`, in place of what was there.
    ///
    /// @throws DependencyException as above
    void put(ShortTermName name, ShortTermValue value);

    /// The text under `name`; empty when there is none, or none any more.
    ///
    /// @throws DependencyException when that cannot be known within the store's deadline
    Optional<String> get(ShortTermName name);

    /// Forgets `name`.
    ///
    /// @return whether there was something
    /// @throws DependencyException as above
    boolean remove(ShortTermName name);

    /// Whether an answer takes a round trip to another process.
    default boolean isRemote() {
        return false;
    }
}
