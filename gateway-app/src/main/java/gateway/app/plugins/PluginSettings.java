package gateway.app.plugins;

import gateway.config.PolicyRegistry;
import java.nio.file.Path;
import java.util.Optional;

/// Where policies come from besides the gateway's own.
///
/// @param folder of jars; empty: nowhere
public record PluginSettings(Optional<Path> folder, BrokenPlugins broken) {
    /// The gateway's own policies and conditions, and those of the plugins.
    ///
    /// @param described what definitions that name a plugin's policies must pass
    /// @throws gateway.app.settings.StartException when there is no such folder, or a plugin in it cannot be used
    /// and that is to refuse the start
    public PolicyRegistry load(DescriptionCheck described) {
        PolicyRegistry own = PolicyRegistry.load();
        return folder.map(found -> new Plugins(found, broken, described).addTo(own))
                .orElse(own);
    }
}
