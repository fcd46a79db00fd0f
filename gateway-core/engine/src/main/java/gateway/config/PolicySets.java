package gateway.config;

import java.util.List;
import java.util.Optional;

/// Where definitions find the policy sets that they use.
@FunctionalInterface
public interface PolicySets {
    /// No set is there.
    PolicySets NONE = id -> new Found.Missing("unknown policy set \"" + id + "\"");

    /// Every set is there and empty: for checking a definition without those that it uses.
    PolicySets ANY = id -> new Found.Usable(new PolicySet(id, id, "", List.of(), List.of(), References.NONE, 0));

    Found find(String id);

    /// The global policies; empty when they have problems.
    default Optional<GlobalPolicies> global() {
        return Optional.of(GlobalPolicies.NONE);
    }

    /// What became of looking for a set.
    sealed interface Found {
        record Usable(PolicySet set) implements Found {}

        /// @param why as a problem tells it
        record Missing(String why) implements Found {}
    }
}
