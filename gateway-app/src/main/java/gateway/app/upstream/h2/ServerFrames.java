package gateway.app.upstream.h2;

import static gateway.app.http2.Http2Exception.broken;
import static gateway.app.http2.Http2Exception.size;

import gateway.app.http2.Allowance;
import gateway.app.http2.ErrorCode;
import gateway.app.http2.Frame;
import gateway.app.http2.FrameReader;
import gateway.app.http2.HeadCollector;
import gateway.app.http2.Http2Exception;
import java.io.IOException;
import java.nio.ByteBuffer;

/// What a server's frames do. Those that break the protocol end the stream or the connection, and so do too many of
/// those that carry nothing.
final class ServerFrames implements FrameReader.Receiver {
    private static final int IDLE_FRAMES = 10_000; // at once
    private static final int IDLE_FRAMES_PER_SECOND = 2_000;
    private static final int BYTES_AN_UPDATE = 256; // of content sent, for each of which one more frame is allowed

    private final UpstreamSession session;
    private final SessionStreams streams;
    private final HeadCollector collector = new HeadCollector(AnswerSection.MOST_BYTES);
    private final Allowance idle = new Allowance(IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, System.nanoTime());
    private boolean settled;

    ServerFrames(UpstreamSession session, SessionStreams streams) {
        this.session = session;
        this.streams = streams;
    }

    /// Whether the server's settings have come.
    boolean settled() {
        return settled;
    }

    /// The server has been sent `bytes` of content, and will say that it takes more.
    void sent(int bytes) {
        idle.give(1 + bytes / BYTES_AN_UPDATE);
    }

    @Override
    public void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException {
        if (!settled && (type != Frame.SETTINGS || Frame.has(flags, Frame.ACK)))
            throw broken("the settings do not come first");
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
            case Frame.GOAWAY -> goAway(stream, payload);
            case Frame.PUSH_PROMISE -> throw broken("a promise that nobody asked for");
            default -> idle("frames of no use"); // priorities, and unknown ones (RFC 9113 §5.5)
        }
    }

    private void data(int flags, int id, ByteBuffer payload) throws IOException {
        requireOpened(id);
        int flow = payload.remaining();
        boolean last = Frame.has(flags, Frame.END_STREAM);
        if (!streams.received(flow)) throw window("content past the window of the connection");
        if (flow == 0 && !last) idle("empty frames");
        Frame.unpad(flags, payload);
        UpstreamStream stream = streams.get(id);
        if (stream != null) stream.content(payload, flow, last);
        int credit = streams.credit();
        if (credit > 0) session.writer().windowUpdate(0, credit);
    }

    private void headers(int flags, int id, ByteBuffer payload) throws IOException {
        requireOpened(id);
        Frame.bareHead(flags, payload);
        collector.begin(id, Frame.has(flags, Frame.END_STREAM), System.nanoTime());
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
        UpstreamStream stream = streams.get(id);
        if (stream == null) { // its fields are decoded all the same, since the table is the same for all
            idle("fields of streams that are over");
            collector.decode(octets, AnswerSection.trailers());
        } else if (stream.headCame()) {
            AnswerSection section = AnswerSection.trailers();
            collector.decode(octets, section);
            stream.trailers(section, last);
        } else {
            AnswerSection section = AnswerSection.head(stream.responseFields());
            collector.decode(octets, section);
            stream.head(section, last);
        }
    }

    private void resetStream(int id, ByteBuffer payload) throws IOException {
        if (payload.remaining() != 4) throw size();
        requireOpened(id);
        UpstreamStream stream = streams.get(id);
        if (stream != null) stream.wasReset(payload.getInt());
        else idle("resets of streams that are over");
    }

    private void settings(int flags, int stream, ByteBuffer payload) throws IOException {
        if (stream != 0) throw broken("settings of a stream");
        if (payload.remaining() % 6 != 0) throw size();
        idle("settings");
        if (Frame.has(flags, Frame.ACK)) {
            if (payload.hasRemaining()) throw size();
            return;
        }
        if (!settled) streams.most(-1);
        settled = true;
        long window = -1; // the last one counts, and is worked out once: every stream has to know
        while (payload.hasRemaining()) {
            int number = payload.getShort() & 0xffff;
            long value = payload.getInt() & 0xffffffffL;
            if (number == Frame.INITIAL_WINDOW_SIZE) window = value;
            else setting(number, value);
        }
        if (window > Integer.MAX_VALUE || (window >= 0 && !streams.initialWindow((int) window)))
            throw window("a window past all measure");
        session.writer().acknowledgeSettings();
        session.settled();
    }

    private void setting(int number, long value) throws IOException {
        switch (number) {
            case Frame.HEADER_TABLE_SIZE -> session.writer().tableSize((int) Math.min(value, Integer.MAX_VALUE));
            case Frame.ENABLE_PUSH -> {
                if (value != 0) throw broken("a server that would be pushed to");
            }
            case Frame.MAX_CONCURRENT_STREAMS -> streams.most(value);
            case Frame.MAX_FRAME_SIZE -> {
                if (value < Frame.MAX_PAYLOAD || value >= 1 << 24) throw broken("a size of frames that may not be");
            }
            default -> {} // the size of heads is advice; others are unknown
        }
    }

    private void ping(int flags, int stream, ByteBuffer payload) throws IOException {
        if (stream != 0) throw broken("a ping of a stream");
        if (payload.remaining() != 8) throw size();
        idle("pings");
        if (!Frame.has(flags, Frame.ACK)) session.writer().pong(payload);
    }

    private void windowUpdate(int id, ByteBuffer payload) throws IOException {
        if (payload.remaining() != 4) throw size();
        idle("window updates");
        int by = payload.getInt() & Integer.MAX_VALUE;
        if (id == 0) {
            if (by == 0) throw broken("a window update of nothing");
            if (!streams.widen(by)) throw window("a window past all measure");
            session.wakeWriters();
            return;
        }
        requireOpened(id);
        UpstreamStream stream = streams.get(id);
        if (stream == null) return;
        if (by == 0) stream.malformed("a window update of nothing");
        else if (!stream.widen(by)) stream.malformed("a window past all measure");
    }

    private void goAway(int stream, ByteBuffer payload) throws IOException {
        if (stream != 0) throw broken("a stream cannot go away");
        if (payload.remaining() < 8) throw size();
        idle("farewells");
        int last = payload.getInt() & Integer.MAX_VALUE;
        session.leave();
        for (UpstreamStream each : streams.all()) {
            if (each.id() > last) each.connectionLost(Loss.missed("the upstream ends the connection"));
        }
    }

    /// A stream that was never opened has nothing to say, and servers open none.
    private void requireOpened(int id) throws IOException {
        if (!session.wasOpened(id)) throw broken("a frame of stream " + id + ", which is idle");
    }

    private void idle(String what) throws IOException {
        if (!idle.take(System.nanoTime())) throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "too many " + what);
    }

    private static Http2Exception window(String why) {
        return new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, why);
    }
}
