package gateway.wire.http2;

import java.util.ArrayDeque;

/// The streams of one connection that would write more and cannot, for want of the connection's window or of room in
/// the socket's queue.
final class WaitingStreams {
    private final Windows windows;
    private final Output output;
    private final Turns turns;
    private final ArrayDeque<UpstreamStream> waiting = new ArrayDeque<>();

    WaitingStreams(Windows windows, Output output, Turns turns) {
        this.windows = windows;
        this.output = output;
        this.turns = turns;
    }

    void add(UpstreamStream stream) {
        waiting.addLast(stream);
        if (isRoom()) turns.flushSoon();
    }

    void remove(UpstreamStream stream) {
        waiting.remove(stream);
    }

    /// Lets those that wait write in turn, each as much as it may.
    void wake() {
        for (int i = waiting.size(); i > 0 && isRoom(); i--) {
            UpstreamStream stream = waiting.pollFirst();
            if (stream != null) stream.wake();
        }
    }

    private boolean isRoom() {
        return windows.left() > 0 && output.room() > 0;
    }

    void clear() {
        waiting.clear();
    }
}
