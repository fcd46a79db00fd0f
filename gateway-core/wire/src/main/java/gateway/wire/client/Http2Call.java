package gateway.wire.client;

import gateway.http.Body;
import gateway.http.Outgoing;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.net.UpstreamProtocol;
import gateway.wire.http1.MalformedResponseException;
import gateway.wire.http2.Loss;
import gateway.wire.http2.StreamUser;
import gateway.wire.http2.UpstreamSession;
import gateway.wire.http2.UpstreamStream;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One exchange with an upstream server by HTTP/2. The request's body and the answer's stream at the same time.
///
/// A request that the server surely did nothing about is sent again, on whichever connection has room; so is, once, an
/// idempotent one whose connection was in use before and breaks before the answer begins.
final class Http2Call extends WireCall implements StreamUser {
    private final boolean hurried; // by the client: its own deadline is nearer than what the upstream is allowed
    private final Http2Sender sender;
    private final Repeats repeats;

    private @Nullable UpstreamStream stream;
    private @Nullable Http2Body body;
    private @Nullable UpstreamCall instead;
    private boolean heard;

    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    Http2Call(
            Terms terms,
            Target target,
            Outgoing outgoing,
            ClientSide client,
            @Nullable Runnable atEnd,
            CallResult callResult) {
        super(terms.within(GrpcTimeout.nanos(client.requestFields())), target, outgoing, client, atEnd, callResult);
        this.hurried = terms().timeouts().total() < terms.timeouts().total();
        this.sender = new Http2Sender(this);
        this.repeats = new Repeats(outgoing.method());
    }

    Terms terms() {
        return terms;
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
        client.mayPause();
        place();
    }

    private void place() {
        if (needsHttp1()) {
            byHttp1();
            return;
        }
        connecting();
        ioThread.shared(target.address()).place(this);
    }

    /// Whether a server that may choose is to be spoken to by HTTP/1.1: it has chosen that of late, or a WebSocket is
    /// asked for.
    private boolean needsHttp1() {
        TargetAddress address = target.address();
        return address.protocol() == UpstreamProtocol.AUTO
                && (client.handshake() != null || ioThread.http1Servers().include(address, System.nanoTime()));
    }

    /// The server does not speak HTTP/2: another call goes on in the place of this one, unless part of the body was
    /// taken for a stream that was refused before.
    void byHttp1() {
        if (!sender.isUntouched()) {
            fail(new UpstreamException(Kind.BROKEN, "the upstream changed from HTTP/2 to HTTP/1.1"));
            return;
        }
        var other = new Http1Call(terms, target.byHttp1(), outgoing, client, atEnd, callResult);
        handOver(other);
        instead = other;
    }

    /// There is room on this connection.
    void begin(UpstreamSession session) {
        sending();
        repeats.sent(session.isProven());
        try {
            stream = sender.start(session);
            sender.pump();
        } catch (RuntimeException e) { // of no concern to the other streams
            fail(e);
        }
    }

    @Override
    public void writable() {
        sender.pump();
    }

    @Override
    public HeaderMap responseFields() {
        return client.responseFields();
    }

    @Override
    public void interim(int status, HeaderMap fields) {
        heard = true;
        if (status == 100) continued();
        else client.sendInterim(RequestHeadWriter.interim(ioThread, status, fields));
    }

    @Override
    public void head(int status, long contentLength, boolean last) {
        UpstreamStream from = stream;
        if (phase() != Phase.AWAITING_HEAD || from == null) return;
        heard = true;
        headCame();
        sender.answered();
        boolean empty =
                last || status == 204 || status == 304 || outgoing.method().equals("HEAD");
        if (empty) {
            over();
            answer(status, Body.EMPTY);
            return;
        }
        Http2Body content = new Http2Body(this, from, contentLength);
        body = content;
        answer(status, content);
    }

    @Override
    public void arrived() {
        if (body != null) body.arrived();
    }

    @Override
    public void lost(Loss why) {
        boolean malformed = why.kind() == Loss.Kind.MALFORMED;
        if (phase() == Phase.BODY && body != null) {
            body.breakOff(
                    malformed ? new MalformedResponseException(why.message()) : new IOException(why.message()), true);
        }
        if (phase() != Phase.AWAITING_HEAD) return;
        if (repeats.allow(why.kind()) && !heard && sender.isWhole()) {
            repeats.again();
            stream = null;
            sender.reset();
            place();
            return;
        }
        if (why.unprocessed()) sender.unprocessed();
        fail(new UpstreamException(malformed ? Kind.MALFORMED : Kind.BROKEN, why.message()));
    }

    @Override
    public void cancel() {
        if (instead != null) instead.cancel();
        super.cancel();
    }

    @Override
    void letGo(Phase last) {
        if (last == Phase.CONNECTING) ioThread.shared(target.address()).forget(this);
        if (stream != null) stream.leave();
    }

    @Override
    void late(long now) {
        if (hurried && isSpent(now)) {
            clientGivesUp();
            return;
        }
        if (stream != null) stream.suspect();
        if (phase() == Phase.CONNECTING) fail(ioThread.shared(target.address()).late());
        else super.late(now);
    }

    /// The deadline is the client's own, who may set itself whichever: no fault of the server.
    private void clientGivesUp() {
        if (stream != null) stream.doubt();
        requestFailed(new UpstreamException(Kind.CLIENT_DEADLINE, "the client's own deadline has passed"));
    }
}
