package gateway.app.upstream;

import gateway.app.upstream.h2.Loss;
import gateway.app.upstream.h2.StreamUser;
import gateway.app.upstream.h2.UpstreamSession;
import gateway.app.upstream.h2.UpstreamStream;
import gateway.http.Body;
import gateway.http.Response;
import gateway.service.UpstreamException;
import gateway.service.UpstreamException.Kind;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One exchange with an upstream server by HTTP/2. The request's body and the answer's stream at the same time.
///
/// A request that the server surely did nothing about is sent again, on whichever connection has room; so is, once, an
/// idempotent one whose connection was in use before and breaks before the answer begins.
final class Http2Call implements UpstreamCall, StreamUser, Deadlines.Timed {
    private static final long CONTINUE_WAIT_NANOS = 1_000_000_000;

    private enum Phase {
        NEW,
        PLACING,
        AWAITING_HEAD,
        BODY,
        OVER
    }

    private final Terms terms;
    private final boolean hurried; // by the client: its own deadline is nearer than what the upstream is allowed
    private final @Nullable Runnable atEnd;
    private final Target target;
    private final ProxiedExchange exchange;
    private final Lane lane;
    private final Settlement settlement;
    private final Http2Sender sender;
    private final Repeats repeats;

    private Phase phase = Phase.NEW;
    private @Nullable UpstreamStream stream;
    private @Nullable Http2Body body;
    private @Nullable UpstreamCall instead;
    private boolean heard;
    private long startedAt;
    private long phaseDeadline;
    private long continueAt;
    private int slot = -1;

    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    Http2Call(Terms terms, Target target, ProxiedExchange exchange, @Nullable Runnable atEnd, Settlement settlement) {
        this.terms = terms.within(GrpcTimeout.nanos(exchange.requestFields()));
        this.hurried = this.terms.timeouts().total() < terms.timeouts().total();
        this.atEnd = atEnd;
        this.target = target;
        this.exchange = exchange;
        this.lane = exchange.lane();
        this.settlement = settlement;
        this.sender = new Http2Sender(this, exchange, target, terms.preserveHost());
        this.repeats = new Repeats(exchange.method());
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

    /// Whether HTTP/1.1 is asked for, whatever else the server speaks.
    boolean needsHttp1() {
        return exchange.handshake() != null;
    }

    Terms terms() {
        return terms;
    }

    /// Begins, on the IO thread.
    @Override
    public void run() {
        try {
            startedAt = System.nanoTime();
            exchange.calling(this);
            exchange.mayPause();
            if (phase == Phase.OVER) return; // the exchange was over already
            lane.callDeadlines().watch(this);
            place();
        } catch (Throwable e) { // without this the request thread would wait for ever
            fail(e instanceof RuntimeException failure ? failure : new IllegalStateException(e));
        }
    }

    /// The server does not speak HTTP/2: another call goes on in the place of this one, unless part of the body was
    /// taken for a stream that was refused before.
    void byHttp1() {
        if (!sender.isUntouched()) {
            fail(new UpstreamException(Kind.BROKEN, "the upstream changed from HTTP/2 to HTTP/1.1"));
            return;
        }
        var other = new Http1Call(terms, target.byHttp1(), exchange, atEnd, settlement);
        phase = Phase.OVER;
        lane.callDeadlines().forget(this);
        other.run(); // cancels this one, which must not reach the other
        instead = other;
    }

    private void place() {
        phase = Phase.PLACING;
        phaseDeadline = terms.timeouts().connectingUntil(startedAt, System.nanoTime());
        lane.shared(target.address()).place(this);
    }

    /// There is room on this connection.
    void begin(UpstreamSession session) {
        phase = Phase.AWAITING_HEAD;
        phaseDeadline = Long.MAX_VALUE;
        repeats.sent(session.isProven());
        try {
            stream = sender.start(session);
            sender.pump();
        } catch (RuntimeException e) { // of no concern to the other streams
            fail(e);
        }
    }

    /// The whole request is written: the response is due.
    void sent() {
        if (phase == Phase.AWAITING_HEAD)
            phaseDeadline = System.nanoTime() + terms.timeouts().response();
        if (phase != Phase.OVER) exchange.awaitingAnswer();
    }

    /// The request head is out and its body waits for `100 Continue`.
    void awaitingContinue() {
        continueAt = System.nanoTime() + CONTINUE_WAIT_NANOS;
    }

    @Override
    public void writable() {
        sender.pump();
    }

    @Override
    public HeaderMap responseFields() {
        return exchange.responseFields();
    }

    @Override
    public void interim(int status, HeaderMap fields) {
        heard = true;
        if (status == 100) continued();
        else exchange.sendInterim(RequestHead.interim(lane, status, fields));
    }

    /// The upstream asks for the body, or has let the client wait long enough.
    private void continued() {
        if (continueAt == 0) return;
        continueAt = 0;
        exchange.sendContinue();
        sender.continued();
    }

    @Override
    public void head(int status, long contentLength, boolean last) {
        UpstreamStream from = stream;
        if (phase != Phase.AWAITING_HEAD || from == null) return;
        heard = true;
        phase = Phase.BODY;
        phaseDeadline = Long.MAX_VALUE;
        continueAt = 0;
        exchange.upstreamTook(System.nanoTime() - startedAt);
        sender.answered();
        boolean empty =
                last || status == 204 || status == 304 || exchange.method().equals("HEAD");
        if (empty) {
            over();
            settlement.answer(new Response(status, exchange.responseHeaders(), Body.EMPTY), sender);
            return;
        }
        body = new Http2Body(this, from, exchange, contentLength);
        settlement.answer(new Response(status, exchange.responseHeaders(), body), sender);
    }

    @Override
    public void arrived() {
        if (body != null) body.arrived();
    }

    /// The response body has been taken to its end.
    void bodyEnded() {
        over();
    }

    @Override
    public void lost(Loss why) {
        if (phase == Phase.BODY) {
            breakOff(why.message(), true);
            return;
        }
        if (phase != Phase.AWAITING_HEAD) return;
        if (repeats.allow(why.kind()) && !heard && sender.isWhole()) {
            repeats.again();
            stream = null;
            sender.reset();
            place();
            return;
        }
        if (why.unprocessed()) sender.unprocessed();
        fail(new UpstreamException(why.kind() == Loss.Kind.MALFORMED ? Kind.MALFORMED : Kind.BROKEN, why.message()));
    }

    private void breakOff(String why, boolean byUpstream) {
        Http2Body broken = body;
        if (broken != null && byUpstream) broken.blameUpstream();
        over();
        if (broken != null) broken.breakOff(new IOException(why));
    }

    /// Through the client: its body is larger than allowed, it went away while it sent it, or waits no longer.
    void requestFailed(RuntimeException why) {
        if (phase == Phase.BODY) breakOff(String.valueOf(why.getMessage()), false);
        fail(why);
    }

    /// Ends without an answer. Once the head was handed on, the body reports the break instead.
    void fail(RuntimeException why) {
        over();
        settlement.fail(why, sender);
    }

    @Override
    public void cancel() {
        if (instead != null) instead.cancel();
        if (phase == Phase.OVER) return;
        if (body != null) body.abandon();
        fail(new UpstreamException(Kind.CLIENT_GONE, "the client went away"));
    }

    private void over() {
        if (phase == Phase.OVER) return;
        if (phase == Phase.PLACING) lane.shared(target.address()).forget(this);
        phase = Phase.OVER;
        lane.callDeadlines().forget(this);
        sender.stop();
        if (stream != null) stream.leave();
        if (atEnd != null) atEnd.run();
    }

    @Override
    public void onTick(long now) {
        boolean late = now - startedAt > terms.timeouts().total()
                || (phase != Phase.BODY && now - startedAt > terms.timeouts().head());
        if (continueAt != 0 && now - continueAt > 0) continued();
        if (!late && (phaseDeadline == Long.MAX_VALUE || now - phaseDeadline < 0)) return;
        if (hurried && now - startedAt >= terms.timeouts().total()) {
            clientGivesUp();
            return;
        }
        if (stream != null) stream.suspect();
        switch (phase) {
            case PLACING -> fail(lane.shared(target.address()).late());
            case AWAITING_HEAD -> fail(sender.late());
            case BODY -> breakOff("the upstream took too long", body != null && body.isAwaited());
            case NEW, OVER -> {}
        }
    }

    /// The deadline is the client's own, who may set itself whichever: no fault of the server.
    private void clientGivesUp() {
        if (stream != null) stream.doubt();
        requestFailed(new UpstreamException(Kind.CLIENT_DEADLINE, "the client's own deadline has passed"));
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
    }
}
