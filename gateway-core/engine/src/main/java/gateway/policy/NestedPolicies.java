package gateway.policy;

import gateway.json.ConfigNode;
import java.util.List;

/// Reads what stands within a policy and is read alike in all: other policies, and conditions on parts of it.
@FunctionalInterface
public interface NestedPolicies {
    /// Where none can be read.
    NestedPolicies NONE = (list, stage) -> List.of();

    /// Entries as in a list of policies, of types of `stage` and others than the one around them, without what the
    /// one around them says for all (`when`, `onOutage`, `mode`). They are named after it: `any-of/key-auth`.
    List<PolicyDefinition> read(ConfigNode list, Stage stage);

    /// What a `when` says of requests; always, where nothing stands. Whoever asks one that
    /// [reads bodies][Condition#readsBody] says so in its `bodyUse`.
    default Condition condition(ConfigNode when) {
        if (when.isPresent()) when.problem("expected no condition here");
        return Condition.ALWAYS;
    }
}
