package gateway.app.proxy;

import gateway.http.ClientCertificate;
import gateway.wire.client.IoThreadResources;
import gateway.wire.http1.Refusal;
import gateway.wire.http2.Http2Limits;
import gateway.wire.http2.Http2Session;
import gateway.wire.http2.Http2Stream;
import gateway.wire.io.Newcomer;
import gateway.wire.tls.TlsConnection;
import io.undertow.connector.ByteBufferPool;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// What the gateway keeps for one HTTP/2 connection, across its streams.
final class Http2Connection {
    private final IoThreadResources ioThread;
    private final InetAddress peer;
    private final Newcomer newcomer;
    private final String peerText;
    private final Optional<ClientCertificate> certificate;
    private final GatewayHandler handler;
    private final Consumer<Refusal> refused;
    private final Http2Limits limits;
    private final LeastRates leastRates;
    private final Http2Session session;
    private @Nullable WaitingLine line;

    /// @param client who is at the other end
    /// @param newcomer what stands on its socket
    /// @param open the open connections, which this one joins
    /// @param refused told of each request that is malformed
    Http2Connection(
            IoThreadResources ioThread,
            StreamConnection channel,
            InetAddress client,
            Newcomer newcomer,
            Set<Http2Connection> open,
            ByteBufferPool records,
            Http2Limits limits,
            LeastRates leastRates,
            GatewayHandler handler,
            Consumer<Refusal> refused) {
        this.ioThread = ioThread;
        this.peer = client;
        this.newcomer = newcomer;
        this.peerText = client.getHostAddress();
        this.certificate = channel instanceof TlsConnection tls ? tls.peerCertificate() : Optional.empty();
        this.handler = handler;
        this.refused = refused;
        this.limits = limits;
        this.leastRates = leastRates;
        this.session = new Http2Session(
                channel,
                newcomer,
                ioThread,
                records,
                limits,
                channel instanceof TlsConnection ? "https" : "http",
                this::begin,
                () -> {
                    open.remove(this);
                    if (line != null) line.end();
                });
        open.add(this);
        session.begin(limits);
    }

    private void begin(Http2Stream stream) {
        var request = new Http2Request(this, stream);
        Refusal refusal = stream.head().refusal();
        if (refusal == null) {
            handler.handle(stream.transaction(), request);
            return;
        }
        refused.accept(refusal);
        stream.head().fields().clear();
        handler.refuse(stream.transaction(), request, refusal);
    }

    IoThreadResources ioThread() {
        return ioThread;
    }

    /// How long the client may stand still in the middle of a message.
    Duration patience() {
        return limits.bodyTimeout();
    }

    LeastRates leastRates() {
        return leastRates;
    }

    /// Where the requests of all streams wait for a place.
    WaitingLine line(Clients clients) {
        if (line == null) line = clients.line(peer);
        return line;
    }

    void served() {
        newcomer.served();
    }

    boolean isProven() {
        return newcomer.isProven();
    }

    InetAddress peer() {
        return peer;
    }

    String peerText() {
        return peerText;
    }

    Optional<ClientCertificate> certificate() {
        return certificate;
    }

    /// Tells the client to open no more streams, and closes when none is open, soon.
    void leave() {
        ioThread.io().execute(session.leaving()::goOn);
    }

    /// The gateway waits no longer for what serves streams.
    void stop() {
        ioThread.io().execute(session.leaving()::stop);
    }

    /// Ends it so that the client learns which stream was the last.
    void end() {
        ioThread.io().execute(session.leaving()::end);
    }

    void close() {
        ioThread.io().execute(session::close);
    }
}
