package gateway.app.server.h2;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The open streams of one connection, and the windows that they share (RFC 9113 §5.2).
final class StreamTable {
    private static final int CREDIT = Http2Limits.CONNECTION_WINDOW / 4; // given in pieces of this size

    private final Map<Integer, Http2Stream> open = new HashMap<>();
    private int initialWindow = 64 * 1024 - 1;
    private int waiting; // sinks whose writer waits
    private long window = 64 * 1024 - 1; // the client's
    private int used; // of the gateway's
    private int uncredited;

    boolean isEmpty() {
        return open.isEmpty();
    }

    int size() {
        return open.size();
    }

    @Nullable
    Http2Stream get(int id) {
        return open.get(id);
    }

    void add(int id, Http2Stream stream) {
        open.put(id, stream);
    }

    void remove(int id) {
        open.remove(id);
    }

    Collection<Http2Stream> all() {
        return open.values();
    }

    /// A writer waits now, or does no longer.
    void waits(int more) {
        waiting += more;
    }

    /// The window of all streams together is wider, or the socket takes more: writers that wait are told.
    void wakeWriters() {
        if (waiting == 0) return;
        for (Http2Stream stream : open.values()) stream.sink().wake();
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
        for (Http2Stream stream : open.values()) fits &= stream.widen(wider);
        return fits;
    }

    /// Bytes of content that the client takes now.
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

    /// The client has sent; answers whether it might.
    boolean received(int bytes) {
        used += bytes;
        return used <= Http2Limits.CONNECTION_WINDOW;
    }

    /// What was received has been read; answers how much the client is to be allowed anew, mostly 0.
    int consumed(int bytes) {
        uncredited += bytes;
        if (uncredited < CREDIT) return 0;
        int credit = uncredited;
        used -= credit;
        uncredited = 0;
        return credit;
    }
}
