package gateway.app.metrics;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says once that a receiver does not take metrics, and once that it does again.
final class Outcry {
    private static final Logger LOG = LoggerFactory.getLogger(Outcry.class);

    private final String receiver;
    private final AtomicBoolean away = new AtomicBoolean();

    /// @param receiver as people name it; no secret
    Outcry(String receiver) {
        this.receiver = receiver;
    }

    void failed(String why) {
        if (away.compareAndSet(false, true)) LOG.warn("{} takes no metrics: {}", receiver, why);
    }

    void succeeded() {
        if (away.compareAndSet(true, false)) LOG.info("{} takes metrics again", receiver);
    }
}
