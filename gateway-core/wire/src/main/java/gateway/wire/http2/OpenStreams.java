package gateway.wire.http2;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The open streams of one connection, and the windows that they share (RFC 9113 §5.1, §5.2).
public final class OpenStreams<S extends Windows.Stream> {
    private final Map<Integer, S> open = new HashMap<>();
    private final Windows windows;

    public OpenStreams(Windows windows) {
        this.windows = windows;
    }

    public Windows windows() {
        return windows;
    }

    public boolean isEmpty() {
        return open.isEmpty();
    }

    public int size() {
        return open.size();
    }

    /// Null when it is over, or has never been opened.
    public @Nullable S get(int id) {
        return open.get(id);
    }

    public void add(int id, S stream) {
        open.put(id, stream);
    }

    public void remove(int id) {
        open.remove(id);
    }

    /// A view: whoever ends streams goes through a copy.
    public Collection<S> all() {
        return open.values();
    }
}
