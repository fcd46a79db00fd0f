package gateway.app.log;

import ch.qos.logback.classic.Level;
import gateway.json.Suggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How much a logger tells: everything from its level on.
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF;

    private static final List<String> TEXTS =
            Arrays.stream(values()).map(LogLevel::text).toList();

    /// As settings and the admin API spell it, such as `debug`; case does not matter.
    public static Optional<LogLevel> of(String text) {
        int at = TEXTS.indexOf(text.toLowerCase(Locale.ROOT));
        return at < 0 ? Optional.empty() : Optional.of(values()[at]);
    }

    /// What is wrong with `text`, which is no level.
    public static String refusal(String text) {
        return "expected one of " + String.join(", ", TEXTS) + ", got \"" + text + "\""
                + Suggestion.nearest(text, TEXTS)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("");
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    Level level() {
        return Level.toLevel(name());
    }
}
