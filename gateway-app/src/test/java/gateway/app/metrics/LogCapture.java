package gateway.app.metrics;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.LoggerFactory;

/// The lines that one class logs meanwhile.
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final List<String> all = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogCapture(Logger logger) {
        this.logger = logger;
    }

    static LogCapture of(Class<?> source) {
        var capture = new LogCapture((Logger) LoggerFactory.getLogger(source));
        capture.start();
        capture.logger.setLevel(Level.INFO);
        capture.logger.addAppender(capture);
        return capture;
    }

    List<String> lines() {
        return List.copyOf(all);
    }

    void awaitLine(String part) {
        try {
            while (!waiting.take().contains(part)) Thread.onSpinWait();
        } catch (InterruptedException e) {
            throw new AssertionError("waiting for: " + part, e);
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        all.add(event.getFormattedMessage());
        waiting.add(event.getFormattedMessage());
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null); // as its parent
    }
}
