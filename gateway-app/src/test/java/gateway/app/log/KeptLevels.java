package gateway.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Gives the loggers of this process, which all of its tests share, back the levels that they have had.
public final class KeptLevels implements AutoCloseable {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Map<String, @Nullable Level> before = new HashMap<>();

    public KeptLevels() {
        for (Logger each : context.getLoggerList()) before.put(each.getName(), each.getLevel());
    }

    @Override
    public void close() {
        for (Logger each : context.getLoggerList()) each.setLevel(before.get(each.getName()));
    }
}
