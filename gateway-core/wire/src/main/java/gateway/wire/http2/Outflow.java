package gateway.wire.http2;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.ConduitStreamSinkChannel;

/// What goes to the client of one connection, as far as its windows and its socket let it.
final class Outflow {
    private static final int GATHERED_BYTES = 16 * 1024;

    private final Http2Session session;
    private final Output output;
    private final Turns turns;
    private final ConduitStreamSinkChannel socket;
    private boolean full; // the socket takes no more for now

    Outflow(Http2Session session, Output output, Turns turns, ConduitStreamSinkChannel socket) {
        this.session = session;
        this.output = output;
        this.turns = turns;
        this.socket = socket;
    }

    /// Bytes of content that may be sent now: at most `wanted`, and a frame.
    int allowed(Http2Stream stream, int wanted) {
        if (!session.isOpen()) return 0;
        long left = Math.min(stream.window(), session.streams().windows().left());
        return (int) Math.min(Math.min(wanted, Frame.MAX_PAYLOAD), Math.min(left, output.room()));
    }

    /// `count` bytes of content, which are allowed.
    void send(Http2Stream stream, ByteBuffer content, int count) {
        session.writer().content(stream.id(), content, count);
        stream.sent(count);
        session.streams().windows().sent(count);
        session.frames().sent(count);
    }

    /// Whether what was appended is as good as sent: it leaves when this turn of the event loop is done, in one
    /// write with what other streams append until then. Not while the socket is full, and not without bound: what
    /// a client does not read keeps its streams open, and so counts.
    boolean gathers() {
        if (full || output.unsent() >= GATHERED_BYTES) return false;
        turns.flushSoon();
        return true;
    }

    /// Sends what the socket takes; answers whether the rest may wait for it.
    boolean flush() throws IOException {
        boolean waits = !output.flush();
        if (waits != full) {
            full = waits;
            if (full) socket.resumeWrites();
            else socket.suspendWrites();
        }
        return !output.isLost() && output.unsent() <= Http2Limits.UNSENT_BYTES;
    }
}
