package gateway.app.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.slf4j.LoggerFactory;

/// Gives the process's log the form and levels of the settings. There is one log a process, as there is one standard
/// output.
public final class OperatorLog {
    private OperatorLog() {}

    /// Leaves a log alone that was configured by a file, but for what would write credentials.
    public static void apply(LogSettings settings) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return;
        apply(settings, context);
        SilencedLoggers.silence(context);
    }

    static void apply(LogSettings settings, LoggerContext context) {
        Logger root = context.getLogger("ROOT");
        if (!(root.getAppender(LogSetup.CONSOLE) instanceof OutputStreamAppender<ILoggingEvent> console)) return;
        Encoder<ILoggingEvent> encoder = encoder(settings);
        encoder.setContext(context);
        encoder.start();
        console.setEncoder(encoder);
        root.setLevel(settings.level().level());
        settings.levels().forEach((name, level) -> context.getLogger(name).setLevel(level.level()));
    }

    private static Encoder<ILoggingEvent> encoder(LogSettings settings) {
        return switch (settings.format()) {
            case TEXT -> new TextLines();
            case JSON -> new JsonLines(settings.node());
        };
    }
}
