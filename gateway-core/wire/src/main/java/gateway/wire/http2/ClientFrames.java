package gateway.wire.http2;

import static gateway.wire.http2.Http2Exception.broken;

import gateway.http.Outcome.Ending;
import gateway.wire.http1.Refusal;
import gateway.wire.http1.WireLimits;
import gateway.wire.memory.Holding;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a client's frames do. Those that break the protocol end the stream or the connection, and so do too many of
/// those that cost the client little and the gateway more.
final class ClientFrames implements PeerFrames.Side<Http2Stream> {
    private static final HttpString STATUS = new HttpString(":status");

    private final Http2Session session;
    private final OpenStreams<Http2Stream> streams;
    private final WireLimits head;
    private final HeadCollector collector;
    private final FieldSection.Kind heads;
    private final SharedTexts shared;
    private final TokenBucket idle;
    private final TokenBucket updates;
    private final TokenBucket resets;
    private final TokenBucket faults;
    private final PeerFrames<Http2Stream> received;
    private final RecentStreams recent = new RecentStreams();
    private int lastStream;

    ClientFrames(Http2Session session, Http2Limits limits) {
        long now = System.nanoTime();
        this.session = session;
        this.streams = session.streams();
        this.head = limits.head();
        this.collector =
                new HeadCollector(limits.head().headBytes(), session.memory().partOfHead());
        this.shared = new SharedTexts(session.memory().heads());
        this.heads = limits.webSockets() ? FieldSection.Kind.EXTENDED_HEAD : FieldSection.Kind.HEAD;
        this.idle = new TokenBucket(Http2Limits.IDLE_FRAMES, Http2Limits.IDLE_FRAMES_PER_SECOND, now);
        this.updates = new TokenBucket(Http2Limits.WINDOW_UPDATES, Http2Limits.WINDOW_UPDATES_PER_SECOND, now);
        this.resets = new TokenBucket(Http2Limits.RESETS, Http2Limits.RESETS_PER_SECOND, now);
        this.faults = new TokenBucket(Http2Limits.FAULTS, Http2Limits.FAULTS_PER_SECOND, now);
        this.received = new PeerFrames<>(this, streams, session.writer(), collector, idle, updates);
    }

    /// Takes the frames as they come.
    PeerFrames<Http2Stream> received() {
        return received;
    }

    /// The highest stream that the client has opened.
    int lastStream() {
        return lastStream;
    }

    /// The client has been sent a frame with `bytes` of content, and will say that it takes more. Clients of
    /// gRPC measure by a ping how long it was on its way.
    void sent(int bytes) {
        idle.give(1);
        updates.give(1 + bytes / Http2Limits.WINDOW_UPDATE_BYTES);
    }

    HeadCollector collector() {
        return collector;
    }

    @Override
    public boolean wasOpened(int id) {
        return id % 2 == 1 && id <= lastStream;
    }

    /// Those that were not opened are, by their fields; one that was passed over cannot be any more (RFC 9113 §5.1.1).
    @Override
    public boolean takesFields(int id) {
        return id % 2 == 1 && recent.end(id) != RecentStreams.End.NEVER_OPENED;
    }

    /// `stream` is over. Its client may not know yet, and go on with a request that has not ended.
    void ended(Http2Stream stream) {
        if (!stream.remoteEnded()) recent.left(stream.id());
    }

    /// Answered in place of the problem that others get, since what comes behind cannot be decoded any more.
    @Override
    public void pastMeasure(int id) {
        if (id <= lastStream) return;
        lastStream = id;
        var answer = new HeaderMap();
        answer.put(STATUS, Refusal.HEAD_TOO_LARGE.status());
        session.writer().head(id, answer, true);
    }

    @Override
    public void fields(int id, ByteBuffer octets, boolean last) throws IOException {
        boolean opens = id > lastStream;
        var section = opens
                ? new FieldSection(head, heads, shared)
                : new FieldSection(head, FieldSection.Kind.TRAILERS, null);
        try {
            collector.decode(octets, section);
        } catch (IOException e) {
            if (opens && section.refusal() == Refusal.HEAD_TOO_LARGE) pastMeasure(id);
            section.leave();
            throw e;
        }
        section.end(last);
        if (section.refusal() != null) section.leave();
        if (opens) open(id, section, last);
        else trailers(id, section);
    }

    private void open(int id, FieldSection head, boolean last) throws IOException {
        lastStream = id;
        recent.opened(id);
        if (!session.leaving().servesNew()) {
            received.idle("streams past the last one");
        } else if (streams.size() >= Http2Limits.STREAMS) {
            received.take(faults, "streams past the limit");
        } else {
            Holding holding = session.memory().heads();
            if (holding.hold(Http2Limits.STREAM_BYTES + head.cost())) {
                session.open(id, head, holding, last);
                return;
            }
        }
        head.leave();
        if (!last) recent.left(id);
        session.writer().reset(id, ErrorCode.REFUSED_STREAM);
    }

    private void trailers(int id, FieldSection section) throws IOException {
        Http2Stream stream = streams.get(id);
        if (stream == null) overdue(id);
        else judge(stream, stream.remoteEnded() ? ErrorCode.STREAM_CLOSED : stream.trailers(section));
    }

    /// Fields of a stream that is over; a client that has ended it itself knows so (RFC 9113 §5.1, "closed").
    private void overdue(int id) throws IOException {
        if (recent.end(id) == RecentStreams.End.BY_CLIENT)
            throw new Http2Exception(ErrorCode.STREAM_CLOSED, "fields of stream " + id + ", which is closed");
        received.idle("trailers of streams that are over");
    }

    @Override
    public void content(Http2Stream stream, ByteBuffer content, int flow, boolean last) throws IOException {
        if (stream.remoteEnded()) {
            session.consumed(flow);
            judge(stream, ErrorCode.STREAM_CLOSED);
        } else {
            judge(stream, stream.content(content, flow, last));
        }
    }

    @Override
    public void stray(int id, int flow) throws IOException {
        session.consumed(flow);
        if (recent.end(id) == RecentStreams.End.BY_CLIENT) {
            session.writer().reset(id, ErrorCode.STREAM_CLOSED);
            received.take(faults, "faults");
        } else {
            received.idle("content of streams that are over");
        }
    }

    @Override
    public void wasReset(Http2Stream stream, int code) throws IOException {
        abandon(stream);
        stream.gone(Ending.CLIENT_GONE);
        recent.endedByClient(stream.id());
        received.take(resets, "resets");
    }

    @Override
    public void fault(Http2Stream stream, ErrorCode why, String what) throws IOException {
        judge(stream, why);
    }

    /// Whoever takes back what it has asked costs work and takes no answer; one that has begun is taken.
    private void abandon(Http2Stream stream) {
        if (!stream.sink().began()) session.newcomer().abandoned();
    }

    private void judge(Http2Stream stream, @Nullable ErrorCode fault) throws IOException {
        if (fault == null) return;
        if (fault != ErrorCode.ENHANCE_YOUR_CALM) abandon(stream); // else memory was short
        stream.reset(fault);
        received.take(faults, "faults");
    }

    @Override
    public void setting(int number, long value) throws IOException {
        if (number == Frame.ENABLE_PUSH && value > 1) throw broken("push is neither on nor off");
    }

    @Override
    public void settled() {
        // writers of streams whose windows are wider have been told
    }

    @Override
    public void frames(boolean goOn) {
        session.arrivals().handOn(goOn);
    }

    @Override
    public void wider() {
        session.writers().wake();
    }

    @Override
    public void farewell(int last) {
        session.leaving().heard();
    }
}
