package gateway.wire.client;

import gateway.http.Body;
import gateway.http.FailureReason;
import gateway.http.Outgoing;
import gateway.http.UpstreamException;
import gateway.wire.http1.MalformedResponseException;
import gateway.wire.http1.ResponseHead;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// One exchange with an upstream server by HTTP/1.1.
///
/// A reused connection that breaks before the first byte of the response is replaced once by a fresh one when the
/// request may be sent again, see [RequestSender#mayRepeat].
final class Http1Call extends WireCall implements Connector.Caller {
    private final RequestSender sender;

    private @Nullable Connector connector;
    private @Nullable UpstreamConnection connection;
    private @Nullable UpstreamBody body;
    private boolean reused;
    private boolean retried;
    private boolean heard;
    private boolean keepAlive;
    private Surplus surplus = Surplus.UNLIKELY;

    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    Http1Call(
            Terms terms,
            Target target,
            Outgoing outgoing,
            ClientSide client,
            @Nullable Runnable atEnd,
            CallResult callResult) {
        super(terms, target, outgoing, client, atEnd, callResult);
        this.sender = new RequestSender(this);
    }

    @Override
    Sending sender() {
        return sender;
    }

    @Override
    @Nullable
    AnswerBody body() {
        return body;
    }

    @Override
    void open() {
        UpstreamConnection idle = client.handshake() == null ? ioThread.kept(target.address()) : null;
        reused = idle != null;
        if (idle == null) connect();
        else begin(idle);
    }

    private void connect() {
        reused = false;
        long until = connecting();
        connector = new Connector(this, ioThread, target.address());
        connector.start(terms.resolver(), terms.dnsRefresh(), until);
    }

    @Override
    public void connected(StreamConnection channel) {
        begin(new UpstreamConnection(ioThread, target.address(), channel, terms));
    }

    @Override
    public void unreachable(UpstreamException why) {
        fail(why);
    }

    /// A connection, fresh or kept, is there.
    private void begin(UpstreamConnection with) {
        connection = with;
        connector = null;
        sending();
        with.serve(this);
        sender.start(with);
    }

    /// The answer may have ended before the request has.
    @Override
    void sent() {
        super.sent();
        if (body != null && body.ended()) over();
    }

    /// Bytes, or the end, have arrived. Answers whether they are wanted.
    boolean readable() {
        if (phase() == Phase.AWAITING_HEAD) {
            if (connection != null) AnswerReading.arrived(this, connection, ioThread, client);
            return true;
        }
        return body != null && body.arrived();
    }

    void writable() {
        sender.pump();
    }

    /// Bytes of the answer have come: the request is not sent again on another connection.
    void heard() {
        heard = true;
    }

    /// The final head is here.
    void headArrived(ResponseHead head, UpstreamConnection from) {
        headCame();
        keepAlive = head.keepAlive() && client.handshake() == null; // what follows a refused one is no request
        boolean empty = !head.hasBody(outgoing.method().equals("HEAD"));
        if (empty) surplus = Surplus.behind(head);
        UpstreamBody content = empty ? UpstreamBody.empty(this, from) : UpstreamBody.of(this, from, head);
        body = content;
        if (!empty && !head.chunked() && head.contentLength() < 0) keepAlive = false;
        if (empty && from.in().hasRemaining()) surplusCame(from);
        if (empty) over();
        answer(head.status(), empty ? Body.EMPTY : content);
    }

    /// The upstream speaks WebSocket from now on.
    void switched(UpstreamConnection from) throws MalformedResponseException {
        Handshake handshake = client.handshake();
        if (handshake == null || !sender.finished()) throw new MalformedResponseException("status 101");
        handshake.agreed(ioThread.headParser(), client.responseFields(), from);
        tunnelBegins();
        answer(ResponseHead.SWITCHING_PROTOCOLS, Body.EMPTY);
    }

    /// The response body has ended as it should.
    void bodyEnded(UpstreamConnection from) {
        if (from.in().hasRemaining()) surplusCame(from);
        over();
    }

    private void surplusCame(UpstreamConnection from) {
        keepAlive = false;
        from.heardUnasked();
    }

    /// The connection broke before the head was here.
    void lost(FailureReason reason, String message) {
        if (phase() != Phase.AWAITING_HEAD) return;
        if (!reused || retried || heard || !sender.mayRepeat()) {
            fail(new UpstreamException(reason, message));
            return;
        }
        retried = true;
        if (connection != null) connection.close();
        connection = null;
        sender.reset();
        connect();
    }

    /// The upstream takes no more of the request. What it has answered may still be whole; reading on tells. Content
    /// without length ends when the connection does, and would look whole.
    void sendingBroke() {
        if (phase() != Phase.BODY || body == null) {
            lost(FailureReason.RESET, "the connection to the upstream broke");
            return;
        }
        keepAlive = false;
        sender.stop();
        body.writingBroke();
    }

    /// Keeps the connection when both sides of it are done, else closes it.
    @Override
    void letGo(Phase last) {
        boolean whole = last == Phase.BODY && body != null && body.ended() && sender.finished();
        if (connector != null) connector.cancel();
        UpstreamConnection done = connection;
        connection = null;
        if (done == null) return;
        if (whole && keepAlive && done.isOpen()) done.release(surplus);
        else done.close();
    }

    @Override
    void inTime(long now) {
        if (connector != null) connector.onTick(now);
    }
}
