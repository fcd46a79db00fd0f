package gateway.app.metrics;

import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says once that a receiver does not take metrics, and once that it does again. From any thread.
final class ReceiverOutageLog {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverOutageLog.class);

    private final String receiver;
    private final int convincing;
    private boolean away;
    private int successes;

    /// @param receiver as people name it; no secret
    /// @param convincing successes in a row after which it is said to be there again
    ReceiverOutageLog(String receiver, int convincing) {
        this.receiver = receiver;
        this.convincing = convincing;
    }

    void failed(@Nullable Throwable why) {
        failed(words(why));
    }

    private static String words(@Nullable Throwable why) {
        return switch (why) {
            case TimeoutException _ -> "no answer in time";
            case ConnectException _ -> "no connection";
            case null -> "no answer";
            default -> why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        };
    }

    synchronized void failed(String why) {
        successes = 0;
        if (!away) LOG.warn("{} takes no metrics: {}", receiver, why);
        away = true;
    }

    synchronized void succeeded() {
        if (!away || ++successes < convincing) return;
        away = false;
        LOG.info("{} takes metrics again", receiver);
    }
}
