package gateway.policy;

import gateway.json.ConfigNode;
import java.util.List;

/// Reads the policies that stand within another one.
@FunctionalInterface
public interface NestedPolicies {
    /// Where none can be read.
    NestedPolicies NONE = (list, stage) -> List.of();

    /// Entries as in a list of policies, of types of `stage` and others than the one around them, without what the
    /// one around them says for all (`when`, `onOutage`, `mode`). They are named after it: `any-of/key-auth`.
    List<PolicyDefinition> read(ConfigNode list, Stage stage);
}
