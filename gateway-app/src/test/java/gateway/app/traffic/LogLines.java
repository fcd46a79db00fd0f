package gateway.app.traffic;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/// Everything that is logged meanwhile, at the most talkative level, instead of on the console.
final class LogLines extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger root = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("ROOT");
    private final Level before = root.getLevel();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();

    private LogLines() {}

    static LogLines atTrace() {
        var lines = new LogLines();
        lines.root.iteratorForAppenders().forEachRemaining(lines.others::add);
        lines.others.forEach(lines.root::detachAppender);
        lines.setContext(lines.root.getLoggerContext());
        lines.start();
        lines.root.addAppender(lines);
        lines.root.setLevel(Level.TRACE);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        var thrown = event.getThrowableProxy();
        lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage()
                + (thrown == null ? "" : " " + thrown.getMessage()));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /// Lines of the gateway itself that an operator sees.
    List<String> warnings() {
        return lines.stream()
                .filter(line -> line.startsWith("WARN gateway.") || line.startsWith("ERROR gateway."))
                .toList();
    }

    @Override
    public void close() {
        root.setLevel(before);
        root.detachAppender(this);
        others.forEach(root::addAppender);
    }
}
