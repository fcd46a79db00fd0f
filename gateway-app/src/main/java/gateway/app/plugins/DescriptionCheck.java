package gateway.app.plugins;

import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.function.Consumer;

/// Whether definitions that a plugin has a part in can be described: as one document, under names of their own.
@FunctionalInterface
public interface DescriptionCheck {
    /// @param all policies and conditions, those of the plugin among them
    /// @param added what reads those of the plugin, each by itself
    /// @throws IllegalStateException when two shapes have one name, saying which
    void check(PolicyRegistry all, List<Consumer<ConfigNode>> added);
}
