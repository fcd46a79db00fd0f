package gateway.app.log;

import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Every setting of the operator's log.
public final class LogSettingTable {
    static final Setting<LogFormat> FORMAT = Setting.of(
            "logFormat",
            "text",
            "form of the operator's log on standard output",
            SettingFormats.choice(LogFormat.class, SettingFormats::lowerCase));
    static final Setting<LogLevel> LEVEL = Setting.of(
            "logLevel",
            "info",
            "what loggers tell that are not named in logLevels",
            SettingFormats.choice(LogLevel.class, SettingFormats::lowerCase));
    static final Setting<List<Map.Entry<String, LogLevel>>> LEVELS = Setting.of(
            "logLevels",
            "",
            "loggers or packages with levels of their own, such as gateway.app.redis=debug",
            SettingFormats.list(
                    new Format<>("loggers with levels such as \"gateway.app.redis=debug\"", LogSettingTable::level)));

    public static final List<Setting<?>> ALL = List.of(FORMAT, LEVEL, LEVELS);

    private LogSettingTable() {}

    /// What is named twice has the level named last.
    public static LogSettings read(SettingsReader reader) {
        var levels = new LinkedHashMap<String, LogLevel>();
        for (Map.Entry<String, LogLevel> each : reader.read(LEVELS)) levels.put(each.getKey(), each.getValue());
        return new LogSettings(reader.read(FORMAT), reader.read(LEVEL), levels, reader.read(SettingTable.NODE));
    }

    private static Optional<Map.Entry<String, LogLevel>> level(String text) {
        String[] parts = text.split("=", 2);
        if (parts.length < 2 || !parts[0].matches("[A-Za-z0-9_$]+(\\.[A-Za-z0-9_$]+)*")) return Optional.empty();
        return LogLevel.of(parts[1]).map(level -> Map.entry(parts[0], level));
    }
}
