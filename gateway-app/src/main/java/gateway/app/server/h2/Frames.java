package gateway.app.server.h2;

import static gateway.app.http2.Http2Exception.broken;
import static gateway.app.http2.Http2Exception.size;

import gateway.app.http2.Allowance;
import gateway.app.http2.ErrorCode;
import gateway.app.http2.Frame;
import gateway.app.http2.FrameReader;
import gateway.app.http2.HeadCollector;
import gateway.app.http2.Http2Exception;
import gateway.app.server.wire.FieldSection;
import gateway.app.server.wire.WireLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a client's frames do. Those that break the protocol end the stream or the connection, and so do too many of
/// those that cost the client little and the gateway more.
final class Frames implements FrameReader.Receiver {
    private static final int MOST_SETTINGS_BYTES = 32 * 6; // of one frame

    private final Http2Session session;
    private final StreamTable streams;
    private final WireLimits head;
    private final HeadCollector collector;
    private final FieldSection.Kind heads;
    private final Allowance idle;
    private final Allowance updates;
    private final Allowance resets;
    private final Allowance faults;
    private int lastStream;
    private boolean settled;
    private long now;
    private long latest;

    Frames(Http2Session session, Http2Limits limits) {
        long now = System.nanoTime();
        this.session = session;
        this.streams = session.streams();
        this.head = limits.head();
        this.collector = new HeadCollector(limits.head().headBytes());
        this.heads = limits.webSockets() ? FieldSection.Kind.EXTENDED_HEAD : FieldSection.Kind.HEAD;
        this.idle = new Allowance(Http2Limits.IDLE_FRAMES, Http2Limits.IDLE_FRAMES_PER_SECOND, now);
        this.updates = new Allowance(Http2Limits.WINDOW_UPDATES, Http2Limits.WINDOW_UPDATES_PER_SECOND, now);
        this.resets = new Allowance(Http2Limits.RESETS, Http2Limits.RESETS_PER_SECOND, now);
        this.faults = new Allowance(Http2Limits.FAULTS, Http2Limits.FAULTS_PER_SECOND, now);
        this.now = now;
        this.latest = now;
    }

    /// Whether the client's settings have come.
    boolean settled() {
        return settled;
    }

    /// The highest stream that the client has opened.
    int lastStream() {
        return lastStream;
    }

    /// When the latest whole frame came, as [System#nanoTime] tells.
    long latest() {
        return latest;
    }

    /// The client has been sent a frame with `bytes` of content, and will say that it takes more. Clients of
    /// gRPC measure by a ping how long it was on its way.
    void sent(int bytes) {
        idle.give(1);
        updates.give(1 + bytes / Http2Limits.WINDOW_UPDATE_BYTES);
    }

    /// What comes next is read at `time`, as [System#nanoTime] tells.
    void arriving(long time) {
        now = time;
    }

    HeadCollector collector() {
        return collector;
    }

    @Override
    public void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException {
        latest = now;
        if (!settled && type != Frame.SETTINGS) throw broken("the settings do not come first");
        int open = collector.stream();
        if (open != 0 && (type != Frame.CONTINUATION || stream != open)) throw broken("a field section is cut");
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS -> headers(flags, stream, payload);
            case Frame.CONTINUATION -> continuation(flags, stream, payload);
            case Frame.RST_STREAM -> resetStream(stream, payload);
            case Frame.SETTINGS -> settings(flags, stream, payload);
            case Frame.PING -> ping(flags, stream, payload);
            case Frame.WINDOW_UPDATE -> windowUpdate(stream, payload);
            case Frame.GOAWAY -> goAway(stream);
            case Frame.PRIORITY -> priority(stream, payload);
            case Frame.PUSH_PROMISE -> throw broken("clients promise nothing");
            default -> take(idle, "frames of unknown types"); // RFC 9113 §5.5: ignored
        }
    }

    private void data(int flags, int id, ByteBuffer payload) throws IOException {
        int flow = payload.remaining();
        boolean last = Frame.has(flags, Frame.END_STREAM);
        if (!streams.received(flow)) throw new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, "past the window");
        if (flow == 0 && !last) take(idle, "empty frames");
        Frame.unpad(flags, payload);
        Http2Stream stream = streams.get(id);
        if (stream == null) {
            requireUsed(id);
            take(idle, "content of streams that are over");
            session.consumed(flow);
        } else if (stream.remoteEnded()) {
            session.consumed(flow);
            fault(stream, ErrorCode.STREAM_CLOSED);
        } else {
            fault(stream, stream.content(payload, flow, last));
        }
    }

    private void headers(int flags, int id, ByteBuffer payload) throws IOException {
        if (id % 2 == 0) throw broken("clients open odd streams");
        Frame.bareHead(flags, payload);
        collector.begin(id, Frame.has(flags, Frame.END_STREAM), latest);
        section(flags, id, payload);
    }

    private void continuation(int flags, int id, ByteBuffer payload) throws IOException {
        if (collector.stream() == 0) throw broken("nothing to continue");
        section(flags, id, payload);
    }

    private void section(int flags, int id, ByteBuffer payload) throws IOException {
        ByteBuffer octets = collector.add(payload, Frame.has(flags, Frame.END_HEADERS));
        if (octets == null) return;
        boolean last = collector.last();
        boolean opens = id > lastStream;
        var section = new FieldSection(head, opens ? heads : FieldSection.Kind.TRAILERS);
        collector.decode(octets, section);
        section.end(last);
        if (opens) open(id, section, last);
        else trailers(id, section);
    }

    private void open(int id, FieldSection head, boolean last) throws IOException {
        lastStream = id;
        if (streams.size() < Http2Limits.STREAMS) {
            session.open(id, head, last);
            return;
        }
        take(faults, "streams past the limit");
        session.writer().reset(id, ErrorCode.REFUSED_STREAM);
    }

    private void trailers(int id, FieldSection section) throws IOException {
        Http2Stream stream = streams.get(id);
        if (stream == null) take(idle, "trailers of streams that are over");
        else fault(stream, stream.remoteEnded() ? ErrorCode.STREAM_CLOSED : stream.trailers(section));
    }

    private void resetStream(int id, ByteBuffer payload) throws IOException {
        if (payload.remaining() != 4) throw size();
        requireUsed(id);
        Http2Stream stream = streams.get(id);
        if (stream == null) {
            take(idle, "resets of streams that are over");
            return;
        }
        stream.gone();
        take(resets, "resets");
    }

    private void settings(int flags, int stream, ByteBuffer payload) throws IOException {
        if (stream != 0) throw broken("settings of a stream");
        if (payload.remaining() % 6 != 0) throw size();
        take(idle, "settings");
        if (Frame.has(flags, Frame.ACK)) {
            if (payload.hasRemaining()) throw size();
            if (!settled) throw broken("the settings do not come first");
            return;
        }
        settled = true;
        if (payload.remaining() > MOST_SETTINGS_BYTES)
            throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "too many settings at once");
        long window = -1; // the last one counts, and is worked out once: every stream has to know
        while (payload.hasRemaining()) {
            int number = payload.getShort() & 0xffff;
            long value = payload.getInt() & 0xffffffffL;
            if (number == Frame.INITIAL_WINDOW_SIZE) {
                if (value > Integer.MAX_VALUE) throw window();
                window = value;
            } else {
                setting(number, value);
            }
        }
        if (window >= 0 && !streams.initialWindow((int) window)) throw window();
        session.writer().acknowledgeSettings();
    }

    private void setting(int number, long value) throws IOException {
        switch (number) {
            case Frame.HEADER_TABLE_SIZE -> session.writer().tableSize((int) Math.min(value, Integer.MAX_VALUE));
            case Frame.ENABLE_PUSH -> {
                if (value > 1) throw broken("push is neither on nor off");
            }
            case Frame.MAX_FRAME_SIZE -> {
                if (value < Frame.MAX_PAYLOAD || value >= 1 << 24) throw broken("a size of frames that may not be");
            }
            default -> {}
        }
    }

    private void ping(int flags, int stream, ByteBuffer payload) throws IOException {
        if (stream != 0) throw broken("a ping of a stream");
        if (payload.remaining() != 8) throw size();
        take(idle, "pings");
        if (!Frame.has(flags, Frame.ACK)) session.writer().pong(payload);
    }

    private void windowUpdate(int id, ByteBuffer payload) throws IOException {
        if (payload.remaining() != 4) throw size();
        take(updates, "window updates");
        int by = payload.getInt() & Integer.MAX_VALUE;
        if (id == 0) {
            if (by == 0) throw broken("a window update of nothing");
            if (!streams.widen(by)) throw window();
            streams.wakeWriters();
            return;
        }
        requireUsed(id);
        Http2Stream stream = streams.get(id);
        if (stream == null) return;
        if (by == 0) fault(stream, ErrorCode.PROTOCOL_ERROR);
        else if (!stream.widen(by)) fault(stream, ErrorCode.FLOW_CONTROL_ERROR);
    }

    private void goAway(int stream) throws IOException {
        if (stream != 0) throw broken("a stream cannot go away");
        take(idle, "farewells");
        session.left();
    }

    private void priority(int stream, ByteBuffer payload) throws IOException {
        if (stream == 0) throw broken("a priority of no stream");
        if (payload.remaining() != Frame.PRIORITY_BYTES) throw size();
        take(idle, "priorities");
    }

    /// A stream that was never opened has nothing to say but to open.
    private void requireUsed(int id) throws IOException {
        if (id == 0 || id % 2 == 0 || id > lastStream) throw broken("a frame of stream " + id + ", which is idle");
    }

    private void fault(Http2Stream stream, @Nullable ErrorCode what) throws IOException {
        if (what == null) return;
        stream.reset(what);
        take(faults, "faults");
    }

    private void take(Allowance from, String what) throws IOException {
        if (!from.take(latest)) throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "too many " + what);
    }

    private static Http2Exception window() {
        return new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, "a window past all measure");
    }
}
