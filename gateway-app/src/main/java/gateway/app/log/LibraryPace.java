package gateway.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.event.KeyValuePair;

/// Holds back what a library repeats: one line a second for each logger and message pattern, with the count of those
/// before it as `suppressed`. Lines of the gateway itself pass; it paces where clients can provoke them.
final class LibraryPace extends Filter<ILoggingEvent> {
    private final Pace pace;

    LibraryPace(Pace pace) {
        this.pace = pace;
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (event.getLoggerName().startsWith("gateway.")) return FilterReply.NEUTRAL;
        long suppressed = pace.enter(event.getLoggerName() + ' ' + event.getMessage());
        if (suppressed == Pace.SUPPRESSED) return FilterReply.DENY;
        if (suppressed > 0 && event instanceof LoggingEvent mutable) {
            mutable.addKeyValuePair(new KeyValuePair(LogFields.SUPPRESSED, suppressed));
        }
        return FilterReply.NEUTRAL;
    }
}
