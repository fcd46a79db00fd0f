package gateway.policy;

import gateway.json.ConfigNode;

/// A kind of policy, found by [java.util.ServiceLoader].
public interface PolicyType {
    /// As definitions write it in `type`, kebab-case.
    String name();

    Stage stage();

    /// Reads one entry of `policies`. `type` and `when` are already known fields; problems are left in `node`,
    /// which the caller then searches for unknown fields. Never throws for bad input.
    PolicySpec read(ConfigNode node);
}
