package gateway.app.stop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of a process that must be let go: the last one made first, each once, whatever another one does.
public final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /// Remembers how to let `part` go.
    public synchronized <T> T add(T part, Consumer<T> letGo) {
        steps.push(() -> letGo.accept(part));
        return part;
    }

    /// Whether there is nothing left to let go.
    public synchronized boolean isClosed() {
        return steps.isEmpty();
    }

    public synchronized void close() {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException e) {
                LOG.error("while stopping", e);
            }
        }
    }
}
