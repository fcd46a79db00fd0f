package gateway.app.trace;

import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether the collector takes spans. Says so in the log when that changes, and only then. Used by one thread.
final class Collector {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.opentelemetry");

    static {
        LIBRARY.setLevel(java.util.logging.Level.OFF); // it would say the same again at every batch, its own way
    }

    private final String endpoint;
    private boolean away;

    Collector(String endpoint) {
        this.endpoint = endpoint;
    }

    void took() {
        if (away) LOG.info("the trace collector at {} takes spans again", endpoint);
        away = false;
    }

    void refused(@Nullable Throwable why) {
        if (!away) LOG.warn("spans are dropped, the trace collector at {} does not take them: {}", endpoint, text(why));
        away = true;
    }

    private static String text(@Nullable Throwable why) {
        return switch (why) {
            case null -> "no answer in time";
            case HttpExportException http
            when http.getResponse() != null ->
                "it answered " + http.getResponse().getStatusCode();
            default -> Optional.ofNullable(why.getMessage()).orElse(why.toString());
        };
    }
}
