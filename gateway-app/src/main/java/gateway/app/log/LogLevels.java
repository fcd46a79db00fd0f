package gateway.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The levels of this process's loggers, which can be changed while it runs and set back to what the settings said.
public final class LogLevels {
    private static final String ROOT = "ROOT";

    private final LoggerContext context;
    private final Map<String, Level> configured = new HashMap<>();

    /// One logger, or a package of them.
    ///
    /// @param level what it tells now
    /// @param configured what it tells unless somebody changes it while the process runs
    public record Named(String name, LogLevel level, LogLevel configured) {}

    LogLevels(LoggerContext context) {
        this.context = context;
        for (Logger logger : context.getLoggerList()) {
            if (logger.getLevel() != null) configured.put(logger.getName(), logger.getLevel());
        }
    }

    /// The levels as they stand count as configured.
    public static LogLevels ofThisProcess() {
        return new LogLevels((LoggerContext) LoggerFactory.getILoggerFactory());
    }

    /// Every logger that is in use, and their packages, by name; the first is `ROOT`.
    public List<Named> all() {
        return context.getLoggerList().stream()
                .filter(logger -> !SilencedLoggers.hold(logger.getName()))
                .map(this::named)
                .toList();
    }

    /// Empty when nothing in this process logs under `name`.
    public Optional<Named> find(String name) {
        return logger(name).map(this::named);
    }

    /// From now on `name` and what is below it tell everything from `level` on.
    ///
    /// @return empty when nothing in this process logs under `name`
    public Optional<Named> set(String name, LogLevel level) {
        return logger(name).map(logger -> {
            logger.setLevel(level.level());
            return named(logger);
        });
    }

    /// Sets `name` back to its configured level.
    ///
    /// @return empty when nothing in this process logs under `name`
    public Optional<Named> reset(String name) {
        return logger(name).map(logger -> {
            logger.setLevel(configured.get(logger.getName()));
            return named(logger);
        });
    }

    private Optional<Logger> logger(String name) {
        if (SilencedLoggers.hold(name)) return Optional.empty();
        return Optional.ofNullable(context.exists(name.equalsIgnoreCase(ROOT) ? ROOT : name));
    }

    private Named named(Logger logger) {
        return new Named(logger.getName(), level(logger.getEffectiveLevel()), level(configured(logger.getName())));
    }

    private Level configured(String name) {
        for (String each = name; !each.isEmpty(); each = parent(each)) {
            @Nullable Level own = configured.get(each);
            if (own != null) return own;
        }
        return configured.getOrDefault(ROOT, Level.INFO);
    }

    private static String parent(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }

    private static LogLevel level(Level level) {
        return LogLevel.of(level.toString()).orElse(LogLevel.TRACE); // ALL
    }
}
