package gateway.app.log;

import java.util.Map;

/// What an operator decided about the log.
///
/// @param level of every logger that has none of its own
/// @param levels by logger, such as `gateway.app.redis`
/// @param node names this node in JSON lines
public record LogSettings(LogFormat format, LogLevel level, Map<String, LogLevel> levels, String node) {
    public LogSettings {
        levels = Map.copyOf(levels);
    }
}
