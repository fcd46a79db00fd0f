package gateway.app.upstream;

import gateway.http.Body;
import gateway.http.Response;
import gateway.service.UpstreamException;
import gateway.service.UpstreamException.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// One exchange with an upstream server by HTTP/1.1.
///
/// A reused connection that breaks before the first byte of the response is replaced once by a fresh one when the
/// request may be sent again, see [RequestSender#mayRepeat].
final class Http1Call implements UpstreamCall, Connector.Caller, Deadlines.Timed {
    private static final long CONTINUE_WAIT_NANOS = 1_000_000_000;

    private enum Phase {
        CONNECTING,
        AWAITING_HEAD,
        BODY,
        SWITCHED,
        OVER
    }

    private final Terms terms;
    private final @Nullable Runnable atEnd;
    private final Target target;
    private final ProxiedExchange exchange;
    private final Lane lane;
    private final Settlement settlement;
    private final RequestSender sender;

    private Phase phase = Phase.CONNECTING;
    private @Nullable Connector connector;
    private @Nullable UpstreamConnection connection;
    private @Nullable UpstreamBody body;
    private boolean reused;
    private boolean retried;
    private boolean heard;
    private boolean keepAlive;
    private long startedAt;
    private long phaseDeadline;
    private long continueAt;
    private int slot = -1;

    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    Http1Call(Terms terms, Target target, ProxiedExchange exchange, @Nullable Runnable atEnd, Settlement settlement) {
        this.settlement = settlement;
        this.terms = terms;
        this.atEnd = atEnd;
        this.target = target;
        this.exchange = exchange;
        this.lane = exchange.lane();
        this.sender = new RequestSender(this, exchange, target, terms.preserveHost());
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public void checkLength() {
        sender.checkLength();
    }

    @Override
    public Response await() {
        checkLength();
        exchange.onIoThread(this);
        return settlement.await();
    }

    @Override
    public boolean mayFollow(boolean safe) {
        return settlement.mayFollow(safe);
    }

    /// Begins, on the IO thread.
    @Override
    public void run() {
        try {
            open();
        } catch (Throwable e) { // without this the request thread would wait for ever
            fail(e instanceof RuntimeException failure ? failure : new IllegalStateException(e));
        }
    }

    private void open() {
        startedAt = System.nanoTime();
        exchange.calling(this);
        if (phase == Phase.OVER) return; // the exchange was over already
        lane.callDeadlines().watch(this);
        UpstreamConnection idle = exchange.handshake() == null ? lane.kept(target.address()) : null;
        reused = idle != null;
        if (idle == null) connect();
        else begin(idle);
    }

    private void connect() {
        phase = Phase.CONNECTING;
        reused = false;
        phaseDeadline = terms.timeouts().connectingUntil(startedAt, System.nanoTime());
        connector = new Connector(this, lane, target.address());
        connector.start(terms.resolver(), terms.dnsRefresh(), phaseDeadline);
    }

    @Override
    public void connected(StreamConnection channel) {
        begin(new UpstreamConnection(lane, target.address(), channel, terms));
    }

    @Override
    public void unreachable(UpstreamException why) {
        fail(why);
    }

    /// A connection, fresh or kept, is there.
    void begin(UpstreamConnection with) {
        connection = with;
        connector = null;
        phase = Phase.AWAITING_HEAD;
        phaseDeadline = Long.MAX_VALUE;
        with.serve(this);
        sender.start(with);
    }

    /// The whole request is written: the response is due.
    void sent() {
        if (phase == Phase.AWAITING_HEAD)
            phaseDeadline = System.nanoTime() + terms.timeouts().response();
        if (phase == Phase.OVER) return;
        exchange.awaitingAnswer();
        if (body != null && body.ended()) over();
    }

    /// The request head is out and its body waits for `100 Continue`.
    void awaitingContinue() {
        continueAt = System.nanoTime() + CONTINUE_WAIT_NANOS;
    }

    /// Bytes, or the end, have arrived. Answers whether they are wanted.
    boolean readable() {
        if (phase == Phase.AWAITING_HEAD) {
            if (connection != null) AnswerReading.arrived(this, connection, lane, exchange);
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

    /// The upstream asks for the body, or has let the client wait long enough.
    void continued() {
        if (continueAt == 0) return;
        continueAt = 0;
        exchange.sendContinue();
        sender.continued();
    }

    /// The final head is here.
    void headArrived(ResponseHead head, UpstreamConnection from) {
        phase = Phase.BODY;
        phaseDeadline = Long.MAX_VALUE;
        keepAlive = head.keepAlive() && exchange.handshake() == null; // what follows a refused one is no request
        exchange.upstreamTook(System.nanoTime() - startedAt);
        continueAt = 0;
        boolean empty = !head.hasBody(exchange.method().equals("HEAD"));
        UpstreamBody content =
                empty ? UpstreamBody.empty(this, from) : UpstreamBody.of(this, from, lane, exchange, head);
        body = content;
        if (empty ? from.in().hasRemaining() : !head.chunked() && head.contentLength() < 0) keepAlive = false;
        if (empty) over();
        settlement.answer(
                new Response(head.status(), exchange.responseHeaders(), empty ? Body.EMPTY : content), sender);
    }

    /// The upstream speaks WebSocket from now on: time limits end, the connection is the tunnel's until [#cancel].
    void switched(UpstreamConnection from) throws MalformedResponseException {
        Handshake handshake = exchange.handshake();
        if (handshake == null || !sender.finished()) throw new MalformedResponseException("status 101");
        handshake.agreed(lane.headParser(), exchange.responseFields(), from);
        phase = Phase.SWITCHED;
        lane.callDeadlines().forget(this);
        exchange.upstreamTook(System.nanoTime() - startedAt);
        settlement.answer(
                new Response(ResponseHead.SWITCHING_PROTOCOLS, exchange.responseHeaders(), Body.EMPTY), sender);
    }

    /// The response body has ended as it should.
    void bodyEnded(boolean reusable) {
        if (!reusable) keepAlive = false;
        over();
    }

    /// The connection broke.
    void lost(Kind kind, String message) {
        if (phase == Phase.BODY) {
            over();
            return;
        }
        if (phase != Phase.AWAITING_HEAD) return;
        if (!reused || retried || heard || !sender.mayRepeat()) {
            fail(new UpstreamException(kind, message));
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
        if (phase != Phase.BODY || body == null) {
            lost(Kind.BROKEN, "the connection to the upstream broke");
            return;
        }
        keepAlive = false;
        sender.stop();
        body.writingBroke();
    }

    /// The client's body is larger than allowed, or the client went away while it sent it.
    void requestFailed(RuntimeException why) {
        if (phase == Phase.BODY && body != null) body.breakOff(new IOException(why.getMessage()), false);
        fail(why);
    }

    /// Ends without an answer. Once the head was handed on, the body reports the break instead.
    void fail(RuntimeException why) {
        over();
        settlement.fail(why, sender);
    }

    @Override
    public void cancel() {
        if (phase == Phase.OVER) return;
        if (phase == Phase.BODY && body != null) body.abandon();
        fail(new UpstreamException(Kind.CLIENT_GONE, "the client went away"));
    }

    /// Keeps the connection when both sides of it are done, else closes it.
    private void over() {
        if (phase == Phase.OVER) return;
        boolean whole = phase == Phase.BODY && body != null && body.ended() && sender.finished();
        phase = Phase.OVER;
        lane.callDeadlines().forget(this);
        sender.stop();
        if (connector != null) connector.cancel();
        UpstreamConnection done = connection;
        connection = null;
        if (done != null && whole && keepAlive && done.isOpen()) done.release();
        else if (done != null) done.close();
        if (atEnd != null) atEnd.run();
    }

    @Override
    public void onTick(long now) {
        boolean late = now - startedAt > terms.timeouts().total()
                || (phase != Phase.BODY && now - startedAt > terms.timeouts().head());
        if (continueAt != 0 && now - continueAt > 0) continued();
        if (phase == Phase.BODY) {
            if (late && body != null) body.late();
            return;
        }
        if (!late && (phaseDeadline == Long.MAX_VALUE || now - phaseDeadline < 0)) {
            if (connector != null) connector.onTick(now);
            return;
        }
        fail(sender.late());
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int slot) {
        this.slot = slot;
    }
}
