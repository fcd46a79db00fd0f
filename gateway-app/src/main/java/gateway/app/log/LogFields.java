package gateway.app.log;

import org.slf4j.spi.LoggingEventBuilder;

/// What lines say besides their message, by the names that traffic records use too.
public final class LogFields {
    public static final String REQUEST_ID = "http.request.id";
    public static final String API = "gateway.api";
    /// Lines of the same kind that were held back before this one.
    public static final String SUPPRESSED = "suppressed";

    private LogFields() {}

    /// A line about a request that an API serves.
    ///
    /// @param api empty when none does
    public static LoggingEventBuilder about(LoggingEventBuilder line, String requestId, String api) {
        LoggingEventBuilder named = line.addKeyValue(REQUEST_ID, requestId);
        return api.isEmpty() ? named : named.addKeyValue(API, api);
    }

    /// The same line, with the count of those held back when there are any.
    public static LoggingEventBuilder after(long suppressed, LoggingEventBuilder line) {
        return suppressed > 0 ? line.addKeyValue(SUPPRESSED, suppressed) : line;
    }
}
