package gateway.app.plugins;

import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Every setting of plugins.
public final class PluginSettingTable {
    static final Setting<Optional<Path>> PLUGINS = Setting.of(
            "plugins",
            "",
            "folder of jars with policies and conditions of your own",
            new Format<>("a folder", SettingFormats.OPTIONAL_FILE.read()));
    static final Setting<BrokenPlugins> BROKEN_PLUGINS = Setting.of(
            "brokenPlugins",
            "skip",
            "whether to skip a jar among them that cannot be used, or to refuse the start",
            SettingFormats.choice(BrokenPlugins.class, SettingFormats::lowerCase));

    public static final List<Setting<?>> ALL = List.of(PLUGINS, BROKEN_PLUGINS);

    private PluginSettingTable() {}

    public static PluginSettings read(SettingsReader reader) {
        return new PluginSettings(reader.read(PLUGINS), reader.read(BROKEN_PLUGINS));
    }
}
