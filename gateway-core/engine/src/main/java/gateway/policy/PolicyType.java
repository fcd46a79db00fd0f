package gateway.policy;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Set;

/// A kind of policy, found by [java.util.ServiceLoader].
public interface PolicyType {
    /// As definitions write it in `type`, kebab-case.
    String name();

    /// Where its policies stand, unless they say otherwise.
    Stage stage();

    /// Where its policies may stand, as `stage` of their entry says; with one there is no such field.
    default List<Stage> stages() {
        return List.of(stage());
    }

    /// What a definition may say in `onOutage`; empty: nothing, and a policy without what it depends on
    /// refuses.
    default Set<OnOutage> outages() {
        return Set.of();
    }

    /// Reads one entry of `policies`. `type`, `when` and `onOutage` are already known fields; problems are left in
    /// `node`,
    /// which the caller then searches for unknown fields. Never throws for bad input.
    PolicySpec read(ConfigNode node);

    /// The same for a type whose policies hold others.
    ///
    /// @param nested reads those
    default PolicySpec read(ConfigNode node, NestedPolicies nested) {
        return read(node);
    }
}
