package gateway.app.proxy;

import gateway.http.ClientCertificate;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.wire.client.IoThreadResources;
import gateway.wire.http1.SentTarget;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.RequestThread;
import gateway.wire.io.RequestThreads;
import gateway.wire.tunnel.TunnelEnd;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a request sees of the client that sent it: an HTTP/1 connection, or one stream of an HTTP/2 connection. Used on
/// the IO thread.
sealed interface ClientConnection extends Watched permits Http1Connection, Http2Request {
    IoThreadResources ioThread();

    /// How long the client may stand still in the middle of a message.
    Duration patience();

    /// How many bytes a second a message has to get on by, be the client never still.
    LeastRates leastRates();

    /// Whether those two hold: not where the call is bounded by other means.
    boolean isHurried();

    /// How many requests share the way to the client.
    int sharers();

    /// Where the requests of the connection wait for a place; made with the first.
    WaitingLine line(Clients clients);

    /// The socket peer, or whom it speaks for by the PROXY protocol.
    InetAddress peer();

    /// That address as `X-Forwarded-For` has it.
    String peerText();

    /// What the client has shown to be let in by; looked up once, when first asked for.
    Optional<ClientCertificate> certificate();

    /// What requests run on: made with the first, since an idle connection needs none.
    RequestThread thread(RequestThreads threads);

    /// What the request under way asks for.
    SentTarget target();

    /// The host that a `Host` field names; empty text when there is none.
    String host(@Nullable String field);

    /// Whether what comes of a body can be read away while its answer waits for the client.
    boolean readsWhileAnswering();

    /// Whether all of a body of `length` bytes, of which nothing has been read, is here.
    boolean hasWhole(long length);

    /// Whether bytes have come behind the request under way that may be another's, before its answer.
    boolean hasEarlyBytes();

    /// From now on its bytes are no longer HTTP.
    TunnelEnd tunnelEnd();

    /// Agrees to a handshake with this answer, `101`; what of it goes ahead of the tunnel's own bytes is answered.
    ByteBuffer agree(ClientRequest request, Response answer);

    /// Sends an interim response (1xx), written as HTTP/1.1, ahead of the final one; closes when it cannot.
    void sendInterim(ByteBuffer head);

    void begin(RequestRun run);

    void end();

    /// An API has answered.
    void served();

    /// Whether one has answered on this connection, or its client has credit, and it has taken nothing back since.
    boolean isProven();

    /// Lets the next request of the connection begin, now or after other connections have had their turn.
    void goOn(HttpTransaction over);

    boolean isOpen();

    /// Why it is open no longer, though a request has no whole answer.
    Ending ending();

    /// Neither the client nor what it is sent has to get on any more: the call is bounded by other means.
    void unhurried();

    /// Closes so that the client cannot take what it has for a whole message.
    void reset();

    /// Closes at once, and what is queued goes too: the client is too slow.
    void giveUp();

    void close();
}
