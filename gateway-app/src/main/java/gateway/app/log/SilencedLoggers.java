package gateway.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Loggers of libraries that write requests as they go over the wire, passwords and `Authorization` fields included.
/// They are off by name, so that no level of a logger above them turns them on, and the admin API cannot either.
public final class SilencedLoggers {
    private static final List<String> NAMES = List.of(
            "org.apache.hc.client5.http.headers",
            "org.apache.hc.client5.http.wire",
            "org.apache.hc.client5.http2.frame",
            "org.apache.hc.client5.http2.frame.payload",
            "org.apache.hc.client5.http2.flow",
            "tracer",
            "io.lettuce.core.protocol.CommandEncoder",
            "io.lettuce.core.protocol.CommandHandler");

    private SilencedLoggers() {}

    public static void silence() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers) silence(loggers);
    }

    static void silence(LoggerContext loggers) {
        for (String name : NAMES) loggers.getLogger(name).setLevel(Level.OFF);
    }

    /// Whether `name` is one of them or below one.
    static boolean hold(String name) {
        return NAMES.stream().anyMatch(silenced -> name.equals(silenced) || name.startsWith(silenced + "."));
    }
}
