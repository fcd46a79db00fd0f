package gateway.policy;

import gateway.json.ConfigNode;

/// A kind of condition: one more field of `when`, found by [java.util.ServiceLoader].
public interface ConditionType {
    /// The field, such as `claims`, camelCase. None that `when` has already.
    String name();

    /// Reads the field, which is there; problems are left in `node`. Never throws for bad input.
    Condition read(ConfigNode node);
}
