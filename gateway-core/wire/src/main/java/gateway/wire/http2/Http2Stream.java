package gateway.wire.http2;

import gateway.http.Outcome.Ending;
import gateway.wire.http1.Refusal;
import gateway.wire.io.HttpTransaction;
import gateway.wire.memory.Holding;
import gateway.wire.tunnel.ConduitEnd;
import gateway.wire.tunnel.TunnelEnd;
import io.undertow.util.HeaderMap;
import io.undertow.util.StatusCodes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.Configurable;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;

/// One request and its response on an HTTP/2 connection. Used on the connection's IO thread.
public final class Http2Stream implements Windows.Stream {
    private final Http2Session session;
    private final int id;
    private final FieldSection head;
    private final Holding holding;
    private final StreamSource source;
    private final StreamSink sink;
    private final StreamTransaction transaction;
    private long window;
    private int uncredited;
    private long arrived;
    private boolean remoteEnded;
    private boolean over;
    private boolean leaving;
    private boolean tunnelled;
    private boolean unhurried;
    private Ending ending = Ending.CLIENT_GONE;
    private @Nullable Runnable whenStopped;

    /// @param holding of what the stream takes, but for its content
    Http2Stream(Http2Session session, int id, FieldSection head, Holding holding, boolean last) {
        this.session = session;
        this.id = id;
        this.head = head;
        this.holding = holding;
        this.window = session.streams().windows().initial();
        this.remoteEnded = last;
        this.source =
                new StreamSource(this, session.io(), new Unread(session.memory().frames()));
        this.sink = new StreamSink(this, session);
        this.transaction = new StreamTransaction(this, session.scheme());
        if (last || head.opensTunnel()) requestRead();
    }

    /// The request and its response.
    public HttpTransaction transaction() {
        return transaction;
    }

    /// What the client asked with.
    public FieldSection head() {
        return head;
    }

    /// Whether the stream is neither complete nor reset.
    public boolean isOpen() {
        return !over;
    }

    /// How many streams are open on the connection, this one included.
    public int beside() {
        return Math.max(1, session.streams().size());
    }

    /// Whether all content of the request is here.
    public boolean cameWhole() {
        return remoteEnded || arrived == head.contentLength();
    }

    int id() {
        return id;
    }

    StreamSource source() {
        return source;
    }

    StreamSink sink() {
        return sink;
    }

    /// Bytes of content that the client takes now.
    long window() {
        return window;
    }

    @Override
    public boolean widen(long by) {
        window += by;
        if (!Windows.mayBe(window)) return false;
        if (window > 0 && by > 0) sink.wake();
        return true;
    }

    void sent(int content) {
        window -= content;
    }

    void soon(Runnable work) {
        session.soon(work);
    }

    boolean remoteEnded() {
        return remoteEnded;
    }

    /// Content has come, and `flow` bytes of the windows are used up; answers what is wrong with it.
    @Nullable
    ErrorCode content(ByteBuffer content, int flow, boolean last) {
        int count = content.remaining();
        arrived += count;
        boolean overflows = source.unread() + uncredited + flow > Http2Limits.STREAM_WINDOW;
        boolean tooLong = head.contentLength() >= 0 && arrived > head.contentLength();
        if (overflows || tooLong) {
            session.consumed(flow);
            return overflows ? ErrorCode.FLOW_CONTROL_ERROR : ErrorCode.PROTOCOL_ERROR;
        }
        if (count > 0) forgo(source.arrived(content));
        if (flow > count) consumed(flow - count);
        return last ? end() : null;
    }

    @Nullable
    ErrorCode trailers(FieldSection trailers) {
        if (trailers.refusal() != null || head.opensTunnel()) return ErrorCode.PROTOCOL_ERROR;
        if (!holding.hold(holding.bytes() + trailers.cost())) return ErrorCode.ENHANCE_YOUR_CALM;
        if (trailers.fields().size() > 0) transaction.requestTrailers(trailers.fields());
        return end();
    }

    /// Content, or its end, has come: it is handed on when the present read is over.
    void arrived() {
        session.arrivals().add(this);
    }

    private @Nullable ErrorCode end() {
        if (head.contentLength() >= 0 && arrived != head.contentLength()) return ErrorCode.PROTOCOL_ERROR;
        remoteEnded = true;
        source.end();
        if (source.unread() == 0 && !source.isReadResumed()) requestRead(); // a reader that waits comes to it
        return null;
    }

    /// The reader has taken `count` bytes: the client may send as many again.
    void consumed(int count) {
        session.consumed(count);
        uncredited += count;
        if (remoteEnded || uncredited < Http2Limits.STREAM_WINDOW / 2) return;
        session.writer().windowUpdate(id, uncredited);
        uncredited = 0;
    }

    /// `count` bytes are not wanted: what the client may send on other streams is not to shrink by them.
    private void forgo(int count) {
        session.consumed(count);
        uncredited += count;
    }

    /// The whole request has been read.
    void requestRead() {
        transaction.requestRead();
    }

    /// The client's end of the tunnel that the stream is from now on, once it has been told by [#agree].
    public TunnelEnd tunnel() {
        tunnelled = true;
        if (remoteEnded) source.ended();
        return new ConduitEnd(
                new ConduitStreamSourceChannel(Configurable.EMPTY, source),
                new ConduitStreamSinkChannel(Configurable.EMPTY, sink),
                source,
                source::read);
    }

    /// Agrees to the handshake that the request was.
    public void agree(HeaderMap fields) {
        if (!over) sink.open(fields);
    }

    /// The response has left. A tunnel lasts until both ends are closed.
    void responseSent() {
        if (tunnelled) return;
        transaction.responseLeft();
        if (leaving) leaveUnread();
    }

    /// Sends an interim response.
    public void interim(HeaderMap fields) {
        if (!over) session.writer().head(id, fields, false);
    }

    /// Its call is bounded by other means: neither side has to get on, but the client has to be there.
    public void unhurried() {
        unhurried = true;
    }

    boolean isUnhurried() {
        return unhurried;
    }

    /// Runs `work` when the gateway waits no longer for what serves the stream.
    public void whenStopped(Runnable work) {
        whenStopped = work;
    }

    void stop() {
        if (whenStopped != null) whenStopped.run();
    }

    /// Why it ended, if its answer is not whole.
    public Ending ending() {
        return ending;
    }

    /// What is left of the request is not read: the client is told to stop, once the response has left (RFC 9113 §8.1).
    void leaveUnread() {
        leaving = true;
        if (over) return;
        forgo(source.discard());
        if (remoteEnded) requestRead();
        else if (sink.ended()) reset(isMalformed() ? ErrorCode.PROTOCOL_ERROR : ErrorCode.NO_ERROR);
    }

    /// Ends the stream at once, and tells the client why.
    public void reset(ErrorCode why) {
        if (over) return;
        if (!remoteEnded || !sink.ended()) session.writer().reset(id, why);
        gone(EndingReason.of(why));
    }

    /// The stream is over for the client: whatever works for it stops.
    void gone(Ending why) {
        if (over) return;
        ending = why;
        finish();
        transaction.requestRead();
        transaction.responseLeft();
    }

    /// Both messages are complete. A client whose handshake was refused is told to send nothing behind it, and one whose
    /// head was malformed that it was (RFC 9113 §8.1.1).
    void complete() {
        if (over) return;
        if (isMalformed()) session.writer().reset(id, ErrorCode.PROTOCOL_ERROR);
        else if (!remoteEnded) session.writer().reset(id, ErrorCode.NO_ERROR);
        finish();
    }

    /// What is too large, or not served, is not malformed.
    private boolean isMalformed() {
        Refusal refusal = head.refusal();
        return refusal != null && refusal.status() == StatusCodes.BAD_REQUEST;
    }

    private void finish() {
        over = true;
        int unread = source.abort();
        sink.abort();
        holding.release();
        head.leave();
        session.ended(this, unread);
    }
}
