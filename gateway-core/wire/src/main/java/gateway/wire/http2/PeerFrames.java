package gateway.wire.http2;

import static gateway.wire.http2.Http2Exception.broken;
import static gateway.wire.http2.Http2Exception.overflow;
import static gateway.wire.http2.Http2Exception.size;

import java.io.IOException;
import java.nio.ByteBuffer;

/// The frames of one peer, as far as they are the same whoever it is: their shape and their order (RFC 9113 §6),
/// settings, pings, the windows, and how many may come that carry nothing. What else they do is told by a [Side].
///
/// Whatever breaks the protocol here ends the connection, but for a window of one stream that grows too wide.
public final class PeerFrames<S extends Windows.Stream> implements FrameReader.Receiver {
    private static final int MOST_SETTINGS_BYTES = 32 * 6; // of one frame

    private final Side<S> side;
    private final OpenStreams<S> streams;
    private final FrameWriter writer;
    private final HeadCollector collector;
    private final TokenBucket idle;
    private final TokenBucket updates;
    private boolean settled;
    private long now = System.nanoTime();
    private long latest = now;

    /// What frames do on the one side of connections, or on the other.
    public interface Side<S> {
        /// Whether a stream of this number was opened, be it over or not.
        boolean wasOpened(int id);

        /// Whether fields may come on a stream of this number.
        boolean takesFields(int id);

        /// Fields have come whole; they are to be decoded, wanted or not.
        void fields(int id, ByteBuffer octets, boolean last) throws IOException;

        /// @param content to be taken or copied until [#frames] returns
        /// @param flow bytes of the windows that it takes, padding included
        void content(S stream, ByteBuffer content, int flow, boolean last) throws IOException;

        /// Content has come for a stream that is over.
        void stray(int id, int flow) throws IOException;

        /// Fields have come that are larger than anybody wants to know; the connection is about to end.
        void pastMeasure(int id);

        void wasReset(S stream, int code) throws IOException;

        /// The peer has broken the protocol in one stream, which is to end.
        void fault(S stream, ErrorCode why, String what) throws IOException;

        /// A setting whose meaning is not the same on both sides, or unknown.
        void setting(int number, long value) throws IOException;

        /// The settings of one frame hold from now on.
        void settled();

        /// The peer takes more content on all streams together.
        void wider();

        /// All frames of one read have come, see [FrameReader.Receiver#frames].
        void frames(boolean goOn);

        /// The peer ends the connection, and looks at no stream past `last`.
        void farewell(int last);
    }

    /// @param idle of frames that carry nothing
    /// @param updates of windows
    public PeerFrames(
            Side<S> side,
            OpenStreams<S> streams,
            FrameWriter writer,
            HeadCollector collector,
            TokenBucket idle,
            TokenBucket updates) {
        this.side = side;
        this.streams = streams;
        this.writer = writer;
        this.collector = collector;
        this.idle = idle;
        this.updates = updates;
    }

    /// Whether the peer's settings have come.
    public boolean settled() {
        return settled;
    }

    /// When the latest whole frame came, as [System#nanoTime] tells.
    public long latest() {
        return latest;
    }

    /// What comes next is read at `time`, as [System#nanoTime] tells.
    public void arriving(long time) {
        now = time;
    }

    @Override
    public void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException {
        latest = now;
        boolean settles = type == Frame.SETTINGS && !Frame.has(flags, Frame.ACK);
        if (!settled && !settles) throw broken("the settings do not come first");
        int open = collector.stream();
        if (open != 0 && (type != Frame.CONTINUATION || stream != open)) throw broken("a field section is cut");
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS -> headers(flags, stream, payload);
            case Frame.PRIORITY -> priority(stream, payload);
            case Frame.RST_STREAM -> resetStream(stream, payload);
            case Frame.SETTINGS -> settings(flags, stream, payload);
            case Frame.PUSH_PROMISE -> throw broken("a promise that nobody asked for");
            case Frame.PING -> ping(flags, stream, payload);
            case Frame.GOAWAY -> goAway(stream, payload);
            case Frame.WINDOW_UPDATE -> windowUpdate(stream, payload);
            case Frame.CONTINUATION -> continuation(flags, stream, payload);
            default -> idle("frames of unknown types"); // RFC 9113 §5.5: ignored
        }
    }

    @Override
    public void frames(boolean goOn) {
        side.frames(goOn);
    }

    private void data(int flags, int id, ByteBuffer payload) throws IOException {
        requireOpened(id);
        int flow = payload.remaining();
        boolean last = Frame.has(flags, Frame.END_STREAM);
        if (!streams.windows().received(flow)) throw overflow("content past the window of the connection");
        Frame.unpad(flags, payload);
        if (!payload.hasRemaining() && !last) idle("frames of content without any");
        S stream = streams.get(id);
        if (stream == null) side.stray(id, flow);
        else side.content(stream, payload, flow, last);
    }

    /// `bytes` that came have been read, or are not wanted any more: the peer may send as many again.
    public void consumed(int bytes) {
        int credit = streams.windows().consumed(bytes);
        if (credit > 0) writer.windowUpdate(0, credit);
    }

    private void headers(int flags, int id, ByteBuffer payload) throws IOException {
        if (!side.takesFields(id)) throw broken("fields of stream " + id + ", which cannot have any");
        Frame.bareHead(flags, id, payload);
        collector.begin(id, Frame.has(flags, Frame.END_STREAM), now);
        section(flags, id, payload);
    }

    private void continuation(int flags, int id, ByteBuffer payload) throws IOException {
        if (collector.stream() == 0) throw broken("nothing to continue");
        section(flags, id, payload);
    }

    private void section(int flags, int id, ByteBuffer payload) throws IOException {
        ByteBuffer octets;
        try {
            octets = collector.add(payload, Frame.has(flags, Frame.END_HEADERS));
        } catch (Http2Exception e) {
            if (collector.pastMeasure()) side.pastMeasure(id);
            throw e;
        }
        if (octets != null) side.fields(id, octets, collector.last());
    }

    private void priority(int id, ByteBuffer payload) throws IOException {
        if (id == 0) throw broken("a priority of no stream");
        requireSize(payload, Frame.PRIORITY_BYTES);
        Frame.priority(id, payload);
        idle("priorities");
    }

    private void resetStream(int id, ByteBuffer payload) throws IOException {
        requireSize(payload, 4);
        requireOpened(id);
        S stream = streams.get(id);
        if (stream == null) idle("resets of streams that are over");
        else side.wasReset(stream, payload.getInt());
    }

    private void settings(int flags, int id, ByteBuffer payload) throws IOException {
        requireNoStream(id);
        if (payload.remaining() % Frame.SETTING_BYTES != 0) throw size();
        idle("settings");
        if (Frame.has(flags, Frame.ACK)) {
            requireSize(payload, 0);
            return;
        }
        if (payload.remaining() > MOST_SETTINGS_BYTES)
            throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "too many settings at once");
        settled = true;
        long window = -1; // the last one counts, and is worked out once: every stream has to know
        while (payload.hasRemaining()) {
            int number = payload.getShort() & 0xffff;
            long value = payload.getInt() & 0xffffffffL;
            if (number == Frame.INITIAL_WINDOW_SIZE) window = window(value);
            else setting(number, value);
        }
        if (window >= 0 && !streams.windows().initial((int) window, streams.all())) throw tooWide();
        writer.acknowledgeSettings();
        side.settled();
    }

    private static long window(long value) throws IOException {
        if (!Windows.mayBe(value)) throw tooWide();
        return value;
    }

    private void setting(int number, long value) throws IOException {
        switch (number) {
            case Frame.HEADER_TABLE_SIZE -> writer.tableSize((int) Math.min(value, Integer.MAX_VALUE));
            case Frame.MAX_FRAME_SIZE -> {
                if (value < Frame.MAX_PAYLOAD || value >= 1 << 24) throw broken("a size of frames that may not be");
            }
            default -> side.setting(number, value);
        }
    }

    private void ping(int flags, int id, ByteBuffer payload) throws IOException {
        requireNoStream(id);
        requireSize(payload, 8);
        idle("pings");
        if (!Frame.has(flags, Frame.ACK)) writer.pong(payload);
    }

    private void goAway(int id, ByteBuffer payload) throws IOException {
        requireNoStream(id);
        if (payload.remaining() < 8) throw size();
        idle("farewells");
        side.farewell(payload.getInt() & Integer.MAX_VALUE);
    }

    private void windowUpdate(int id, ByteBuffer payload) throws IOException {
        requireSize(payload, 4);
        take(updates, "window updates");
        int by = payload.getInt() & Integer.MAX_VALUE;
        if (id != 0) {
            widen(id, by);
            return;
        }
        if (by == 0) throw broken("a window update of nothing");
        if (!streams.windows().widen(by)) throw tooWide();
        side.wider();
    }

    private void widen(int id, int by) throws IOException {
        requireOpened(id);
        S stream = streams.get(id);
        if (stream == null) return;
        if (by == 0) side.fault(stream, ErrorCode.PROTOCOL_ERROR, "a window update of nothing");
        else if (!stream.widen(by)) side.fault(stream, ErrorCode.FLOW_CONTROL_ERROR, "a window past all measure");
    }

    /// A stream that was never opened has nothing to say (RFC 9113 §5.1, "idle").
    private void requireOpened(int id) throws IOException {
        if (!side.wasOpened(id)) throw broken("a frame of stream " + id + ", which is idle");
    }

    private static void requireNoStream(int id) throws IOException {
        if (id != 0) throw broken("a frame of stream " + id + " that is one of the connection");
    }

    private static void requireSize(ByteBuffer payload, int bytes) throws IOException {
        if (payload.remaining() != bytes) throw size();
    }

    private static Http2Exception tooWide() {
        return overflow("a window past all measure");
    }

    /// One more of the frames that carry nothing has come.
    public void idle(String what) throws IOException {
        take(idle, what);
    }

    /// Ends the connection when the peer has used up `from`.
    public void take(TokenBucket from, String what) throws IOException {
        if (!from.take(latest)) throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "too many " + what);
    }
}
