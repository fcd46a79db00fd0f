package gateway.component;

import com.hazelcast.logging.AbstractLogger;
import com.hazelcast.logging.ILogger;
import com.hazelcast.logging.LogEvent;
import com.hazelcast.logging.LoggerFactory;
import com.hazelcast.logging.Slf4jFactory;
import java.util.logging.Level;
import java.util.regex.Pattern;

/// What Hazelcast logs, without the name of the cluster: whoever knows it may join. What it tells of its own affairs is
/// for who looks for a fault.
public final class MemberLog implements LoggerFactory {
    private static final Pattern NAME = Pattern.compile(MemberConfig.NAME_PREFIX + "[A-Za-z0-9_-]+");

    /// Says at each start which packages of Java could be opened to it.
    private static final String ABOUT_PACKAGES = "com.hazelcast.instance.impl.HazelcastInstanceFactory";

    private final LoggerFactory lines = new Slf4jFactory();

    @Override
    public ILogger getLogger(String name) {
        return new Masked(lines.getLogger(name), name.equals(ABOUT_PACKAGES));
    }

    static String masked(String message) {
        return NAME.matcher(message).replaceAll(MemberConfig.NAME_PREFIX + "***");
    }

    private static final class Masked extends AbstractLogger {
        private final ILogger lines;
        private final boolean isQuiet;

        Masked(ILogger lines, boolean isQuiet) {
            this.lines = lines;
            this.isQuiet = isQuiet;
        }

        private Level level(Level asked) {
            boolean isTold = asked.intValue() > (isQuiet ? Level.WARNING : Level.INFO).intValue();
            return isTold || asked.intValue() < Level.FINE.intValue() ? asked : Level.FINE;
        }

        @Override
        public void log(Level level, String message) {
            if (isLoggable(level)) lines.log(level(level), masked(message));
        }

        @Override
        public void log(Level level, String message, Throwable thrown) {
            if (isLoggable(level)) lines.log(level(level), masked(message), thrown);
        }

        @Override
        @SuppressWarnings("removal") // abstract still
        public void log(LogEvent event) {
            var record = event.getLogRecord();
            log(record.getLevel(), String.valueOf(record.getMessage()), record.getThrown());
        }

        @Override
        public Level getLevel() {
            return lines.getLevel();
        }

        @Override
        public boolean isLoggable(Level level) {
            return lines.isLoggable(level(level));
        }
    }
}
