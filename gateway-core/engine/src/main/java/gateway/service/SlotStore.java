package gateway.service;

import java.util.Optional;

/// Slots that requests hold while they are under way, counted on all nodes of the store together.
///
/// The embedded store counts those of its process.
public interface SlotStore {
    /// A slot that one request holds. Those of a node that is gone come back by themselves after some seconds.
    interface Slot {
        /// Gives it back, once. Waits for nothing and never fails.
        void give();
    }

    /// Takes one of the slots of a caller.
    ///
    /// @param counter whose slots they are, such as `orders/concurrency-limit`: those of another are apart
    /// @param subject the caller's name, without blanks
    /// @param most so many are there
    /// @return empty when all are taken
    /// @throws DependencyException when that cannot be known within the store's deadline
    Optional<Slot> take(String counter, String subject, int most);
}
