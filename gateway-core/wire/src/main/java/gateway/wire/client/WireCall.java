package gateway.wire.client;

import gateway.http.Body;
import gateway.http.FailureReason;
import gateway.http.Outgoing;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.wire.io.Deadlines;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One exchange with an upstream server, by either HTTP: how far it is, how long it may take, and how it comes out. How
/// it finds its connection, and what is sent and read there, is left to the two that extend it.
///
/// The request thread makes it and waits; all the rest happens on the IO thread.
abstract sealed class WireCall implements UpstreamCall, Deadlines.Timed permits Http1Call, Http2Call {
    private static final long CONTINUE_WAIT_NANOS = 1_000_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    final Terms terms;
    final Target target;
    final Outgoing outgoing;
    final ClientSide client;
    final IoThreadResources ioThread;
    final CallResult callResult;
    final @Nullable Runnable atEnd;

    private Phase phase = Phase.NEW;
    private long startedAt;
    private long phaseDeadline = NEVER;
    private long continueAt; // 0: nobody waits for 100 Continue
    private int slot = -1;

    /// How far a call is.
    enum Phase {
        NEW,
        /// It has no connection yet, or no place on one.
        CONNECTING,
        AWAITING_HEAD,
        BODY,
        /// Its connection is a tunnel's.
        SWITCHED,
        OVER
    }

    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    WireCall(
            Terms terms,
            Target target,
            Outgoing outgoing,
            ClientSide client,
            @Nullable Runnable atEnd,
            CallResult callResult) {
        this.terms = terms;
        this.target = target;
        this.outgoing = outgoing;
        this.client = client;
        this.ioThread = client.ioThread();
        this.callResult = callResult;
        this.atEnd = atEnd;
    }

    /// Looks for a connection.
    abstract void open();

    /// Who sends the request.
    abstract Sending sender();

    /// The content of the answer, while it streams; null before, and when there is none.
    abstract @Nullable AnswerBody body();

    /// Lets go of the connection, or of what would become one: the call is over.
    ///
    /// @param last how far it was
    abstract void letGo(Phase last);

    @Override
    public final String location() {
        return target.location();
    }

    @Override
    public final void checkLength() {
        BodySource.checkLength(client.content(), outgoing.body());
    }

    @Override
    public final Response await() {
        checkLength();
        client.onIoThread(this);
        return callResult.await();
    }

    @Override
    public final boolean mayFollow(boolean safe) {
        return callResult.mayFollow(safe);
    }

    /// Begins, on the IO thread.
    @Override
    public final void run() {
        try {
            startedAt = System.nanoTime();
            client.calling(this);
            if (phase == Phase.OVER) return; // the exchange was over already
            ioThread.callDeadlines().watch(this);
            open();
        } catch (Throwable e) { // without this the request thread would wait for ever
            fail(e instanceof RuntimeException failure ? failure : new IllegalStateException(e));
        }
    }

    @Override
    public final boolean holdsConnection() {
        return phase != Phase.NEW && phase != Phase.OVER;
    }

    final Phase phase() {
        return phase;
    }

    /// Looks for a connection from now on; answers until when, by [System#nanoTime].
    final long connecting() {
        phase = Phase.CONNECTING;
        phaseDeadline = terms.timeouts().connectingUntil(startedAt, System.nanoTime());
        return phaseDeadline;
    }

    /// A connection is there, and the request goes out on it.
    final void sending() {
        phase = Phase.AWAITING_HEAD;
        phaseDeadline = NEVER;
    }

    /// The request head is out and its body waits for `100 Continue`.
    final void awaitingContinue() {
        continueAt = System.nanoTime() + CONTINUE_WAIT_NANOS;
    }

    /// The upstream asks for the body, or has let the client wait long enough.
    final void continued() {
        if (continueAt == 0) return;
        continueAt = 0;
        client.sendContinue();
        sender().continued();
    }

    /// The whole request is written: the response is due.
    void sent() {
        if (phase == Phase.AWAITING_HEAD)
            phaseDeadline = System.nanoTime() + terms.timeouts().response();
        if (phase != Phase.OVER) client.awaitingAnswer();
    }

    /// The final head is here; no limit but that of the whole holds for what follows it.
    final void headCame() {
        phase = Phase.BODY;
        phaseDeadline = NEVER;
        continueAt = 0;
        tookSoLong();
    }

    /// What follows the head is no HTTP: time limits end, the connection is the tunnel's until [#cancel].
    final void tunnelBegins() {
        phase = Phase.SWITCHED;
        ioThread.callDeadlines().forget(this);
        tookSoLong();
    }

    private void tookSoLong() {
        client.upstreamTook(System.nanoTime() - startedAt);
    }

    /// Hands the head on, with its fields as they are in the exchange.
    final void answer(int status, Body content) {
        callResult.answer(new Response(status, client.responseHeaders(), content), sender());
    }

    /// Through the client: its body is larger than allowed, it went away while it sent it, or waits no longer.
    final void requestFailed(RuntimeException why) {
        AnswerBody content = body();
        if (phase == Phase.BODY && content != null) content.breakOff(new IOException(why.getMessage()), false);
        fail(why);
    }

    /// Ends without an answer. Once the head was handed on, the body reports the break instead.
    final void fail(RuntimeException why) {
        over();
        callResult.fail(why, sender());
    }

    @Override
    public void cancel() {
        if (phase == Phase.OVER) return;
        AnswerBody content = body();
        if (content != null) content.abandon();
        fail(new UpstreamException(Kind.CLIENT_GONE, "the client went away"));
    }

    /// Ends, the first time, whatever has come of it.
    final void over() {
        if (phase == Phase.OVER) return;
        Phase last = phase;
        phase = Phase.OVER;
        ioThread.callDeadlines().forget(this);
        sender().stop();
        letGo(last);
        if (atEnd != null) atEnd.run();
    }

    /// Another call goes on in the place of this one, which has held no connection.
    final void handOver(WireCall other) {
        phase = Phase.OVER;
        ioThread.callDeadlines().forget(this);
        other.run(); // cancels this one, which must not reach the other
    }

    @Override
    public final void onTick(long now) {
        boolean beforeHead = phase != Phase.BODY;
        boolean late = now - startedAt > terms.timeouts().total()
                || (beforeHead && now - startedAt > terms.timeouts().head());
        if (continueAt != 0 && now - continueAt > 0) continued();
        if (phase == Phase.OVER) return;
        if (late || (phaseDeadline != NEVER && now - phaseDeadline >= 0)) late(now);
        else inTime(now);
    }

    /// Whether the whole exchange has taken as long as it may.
    final boolean isSpent(long now) {
        return now - startedAt >= terms.timeouts().total();
    }

    /// It has taken too long: whoever had to act is blamed.
    void late(long now) {
        AnswerBody content = body();
        if (phase == Phase.BODY && content != null) content.late();
        else if (phase == Phase.CONNECTING) fail(unconnected());
        else fail(sender().late());
    }

    private static UpstreamException unconnected() {
        return new UpstreamException(FailureReason.CONNECT_TIMEOUT, "no connection to the upstream in time");
    }

    /// Time has passed and it is not late.
    void inTime(long now) {}

    @Override
    public final int slot() {
        return slot;
    }

    @Override
    public final void slot(int value) {
        slot = value;
    }
}
