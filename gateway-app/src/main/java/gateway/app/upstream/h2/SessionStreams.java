package gateway.app.upstream.h2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The open streams of one connection, how many there may be, and the windows that they share (RFC 9113 §5.2).
final class SessionStreams {
    private static final int DEFAULT_WINDOW = 64 * 1024 - 1;
    private static final int MOST_UNTOLD = 100; // until the settings come: no server should allow fewer (§6.5.2)
    private static final int MOST = 1000; // whatever the server allows

    private final Map<Integer, UpstreamStream> open = new HashMap<>();
    private int most = MOST_UNTOLD;
    private int initialWindow = DEFAULT_WINDOW;
    private long window = DEFAULT_WINDOW; // the server's
    private int uncredited;

    boolean isEmpty() {
        return open.isEmpty();
    }

    int size() {
        return open.size();
    }

    int most() {
        return most;
    }

    /// @param allowed by the server; negative: as many as one likes
    void most(long allowed) {
        most = (int) Math.min(MOST, allowed < 0 ? MOST : allowed);
    }

    @Nullable
    UpstreamStream get(int id) {
        return open.get(id);
    }

    void add(UpstreamStream stream) {
        open.put(stream.id(), stream);
    }

    void remove(int id) {
        open.remove(id);
    }

    List<UpstreamStream> all() {
        return new ArrayList<>(open.values());
    }

    /// With which a new stream begins.
    int initialWindow() {
        return initialWindow;
    }

    /// Answers whether every stream's window is one that may be.
    boolean initialWindow(int bytes) {
        long wider = (long) bytes - initialWindow;
        initialWindow = bytes;
        boolean fits = true;
        for (UpstreamStream stream : open.values()) fits &= stream.widen(wider);
        return fits;
    }

    /// Bytes of content that the server takes now.
    long window() {
        return window;
    }

    /// Answers whether the window is one that may be.
    boolean widen(int by) {
        window += by;
        return window <= Integer.MAX_VALUE;
    }

    void sent(int bytes) {
        window -= bytes;
    }

    /// The server has sent; answers whether it might.
    boolean received(int bytes) {
        uncredited += bytes;
        return uncredited <= UpstreamSession.CONNECTION_WINDOW;
    }

    /// How much the server is to be allowed anew, mostly 0.
    int credit() {
        if (uncredited < UpstreamSession.CONNECTION_WINDOW / 4) return 0;
        int credit = uncredited;
        uncredited = 0;
        return credit;
    }
}
