package gateway.wire.http2;

import static gateway.wire.http2.Http2Exception.broken;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// What a server's frames do. Those that break the protocol end the stream or the connection, and so do too many of
/// those that carry nothing, and content of streams that are over which cannot have been under way.
final class ServerFrames implements PeerFrames.Side<UpstreamStream> {
    private static final int IDLE_FRAMES = 10_000; // at once
    private static final int IDLE_FRAMES_PER_SECOND = 2_000;
    private static final int BYTES_AN_UPDATE = 256; // of content sent, for each of which one more frame is allowed
    private static final int FRAMES_AT_THE_END = 4; // that may come for each stream that ends: head, trailers ...

    private final UpstreamSession session;
    private final StreamLimit limit;
    private final OpenStreams<UpstreamStream> streams;
    private final HeadCollector collector;
    private final TokenBucket idle = new TokenBucket(IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, System.nanoTime());
    private final UnderWay underWay = new UnderWay(UpstreamSession.CONNECTION_WINDOW);
    private final PeerFrames<UpstreamStream> received;

    ServerFrames(UpstreamSession session, StreamLimit limit, HeadCollector collector) {
        this.collector = collector;
        this.session = session;
        this.limit = limit;
        this.streams = session.streams();
        this.received = new PeerFrames<>(this, streams, session.writer(), collector, idle, idle);
    }

    /// Takes the frames as they come.
    PeerFrames<UpstreamStream> received() {
        return received;
    }

    /// The server has been sent `bytes` of content, and will say that it takes more.
    void sent(int bytes) {
        idle.give(1 + bytes / BYTES_AN_UPDATE);
    }

    /// `stream` is over, and the server may not know yet.
    void ended(UpstreamStream stream) {
        underWay.add(stream.underWay());
        idle.give(FRAMES_AT_THE_END);
    }

    @Override
    public boolean wasOpened(int id) {
        return session.wasOpened(id);
    }

    /// Servers open none.
    @Override
    public boolean takesFields(int id) {
        return session.wasOpened(id);
    }

    @Override
    public void fields(int id, ByteBuffer octets, boolean last) throws IOException {
        UpstreamStream stream = streams.get(id);
        if (stream == null) { // its fields are decoded all the same, since the table is the same for all
            received.idle("fields of streams that are over");
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

    /// Whoever takes content lets the server send a frame without any in between.
    @Override
    public void content(UpstreamStream stream, ByteBuffer content, int flow, boolean last) {
        if (content.hasRemaining()) idle.give(1);
        stream.content(content, flow, last);
        received.consumed(flow);
    }

    @Override
    public void stray(int id, int flow) throws IOException {
        if (flow == 0) received.idle("ends of streams that are over");
        if (!underWay.take(flow)) throw new Http2Exception(ErrorCode.STREAM_CLOSED, "content of streams that are over");
        received.consumed(flow);
    }

    @Override
    public void pastMeasure(int id) {
        // servers are not answered
    }

    @Override
    public void wasReset(UpstreamStream stream, int code) {
        stream.wasReset(code);
    }

    @Override
    public void fault(UpstreamStream stream, ErrorCode why, String what) {
        stream.fault(why, what);
    }

    @Override
    public void setting(int number, long value) throws IOException {
        switch (number) {
            case Frame.ENABLE_PUSH -> {
                if (value != 0) throw broken("a server that would be pushed to");
            }
            case Frame.MAX_CONCURRENT_STREAMS -> limit.tell(value);
            default -> {} // the size of heads is advice; others are unknown
        }
    }

    @Override
    public void settled() {
        limit.settled();
        session.settled();
    }

    @Override
    public void wider() {
        session.waiting().wake();
    }

    @Override
    public void frames(boolean goOn) {
        // content was taken as it came
    }

    @Override
    public void farewell(int last) {
        session.leave();
        for (UpstreamStream each : List.copyOf(streams.all())) {
            if (each.id() > last) each.connectionLost(Loss.missed("the upstream ends the connection"));
        }
    }
}
