package gateway.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Optional;
import java.util.Set;

/// A failure with its stack and its causes as text. Messages may quote what a client sent, so they are made printable.
final class StackText {
    private static final int MOST_FRAMES = 64;
    private static final int MOST_CAUSES = 8;

    /// They say in their message what went wrong and are written while a server is away: frames of theirs tell nobody
    /// anything.
    private static final Set<String> WITHOUT = Set.of("io.lettuce.core.protocol.ConnectionWatchdog");

    private StackText() {}

    /// What is to be shown of the failure behind an event, if there is one.
    static Optional<IThrowableProxy> shown(ILoggingEvent event) {
        return WITHOUT.contains(event.getLoggerName())
                ? Optional.empty()
                : Optional.ofNullable(event.getThrowableProxy());
    }

    static String of(IThrowableProxy thrown) {
        var text = new StringBuilder(1024);
        Optional<IThrowableProxy> each = Optional.of(thrown);
        for (int depth = 0; each.isPresent() && depth < MOST_CAUSES; depth++) {
            if (depth > 0) text.append("Caused by: ");
            append(text, each.get());
            each = Optional.ofNullable(each.get().getCause());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, IThrowableProxy thrown) {
        text.append(thrown.getClassName());
        if (thrown.getMessage() != null) Printable.append(text.append(": "), thrown.getMessage());
        text.append('\n');
        StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
        if (frames == null) return;
        int own = frames.length - thrown.getCommonFrames();
        for (int i = 0; i < Math.min(own, MOST_FRAMES); i++)
            text.append('\t').append(frames[i].getSTEAsString()).append('\n');
        if (frames.length > Math.min(own, MOST_FRAMES)) {
            text.append("\t... ")
                    .append(frames.length - Math.min(own, MOST_FRAMES))
                    .append(" more\n");
        }
    }
}
