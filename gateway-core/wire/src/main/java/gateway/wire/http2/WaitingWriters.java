package gateway.wire.http2;

import java.util.LinkedHashSet;

/// The responses of one connection that wait to be written further, in turn: who has waited longest is told first, so
/// that the window and the socket that they share serve all of them.
final class WaitingWriters {
    private static final StreamSink[] NONE = new StreamSink[0];

    private final LinkedHashSet<StreamSink> waiting = new LinkedHashSet<>();

    /// One more waits.
    void waits(StreamSink response) {
        waiting.add(response);
    }

    /// One of them waits no longer.
    void waitsNot(StreamSink response) {
        waiting.remove(response);
    }

    /// One was written further: if it still waits, the others have their turn first.
    void written(StreamSink response) {
        if (waiting.remove(response)) waiting.add(response);
    }

    /// The window of all streams together is wider, or the socket takes more: those that wait are told.
    void wake() {
        if (waiting.isEmpty()) return;
        for (StreamSink response : waiting.toArray(NONE)) response.wake(); // which may end others
    }
}
