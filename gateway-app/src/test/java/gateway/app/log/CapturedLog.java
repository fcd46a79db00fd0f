package gateway.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// All that this process logs meanwhile, our packages at trace level, in both forms.
public final class CapturedLog implements AutoCloseable {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = context.getLogger("ROOT");
    private final Logger ours = context.getLogger("gateway");
    private final Level before = root.getLevel();
    private final @Nullable Level oursBefore = ours.getLevel();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        private final TextLines text = new TextLines();
        private final JsonLines json = new JsonLines("node-1");

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(new String(text.encode(event), StandardCharsets.UTF_8));
            lines.add(new String(json.encode(event), StandardCharsets.UTF_8));
        }
    };

    public CapturedLog() {
        appender.setContext(context);
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.INFO);
        ours.setLevel(Level.TRACE);
    }

    public String text() {
        return String.join("", lines);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        root.setLevel(before);
        ours.setLevel(oursBefore);
    }
}
