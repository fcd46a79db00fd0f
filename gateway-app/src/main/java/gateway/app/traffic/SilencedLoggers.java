package gateway.app.traffic;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Loggers of the HTTP client that write requests as they go over the wire, the `Authorization` field included. They
/// are off by name, so that no level of a logger above them turns them on.
final class SilencedLoggers {
    private static final List<String> NAMES = List.of(
            "org.apache.hc.client5.http.headers",
            "org.apache.hc.client5.http.wire",
            "org.apache.hc.client5.http2.frame",
            "org.apache.hc.client5.http2.frame.payload",
            "org.apache.hc.client5.http2.flow",
            "tracer");

    private SilencedLoggers() {}

    static void silence() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers)) return;
        for (String name : NAMES) {
            Logger logger = loggers.getLogger(name);
            logger.setLevel(Level.OFF);
        }
    }
}
