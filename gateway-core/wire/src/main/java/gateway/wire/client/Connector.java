package gateway.wire.client;

import gateway.http.FailureReason;
import gateway.http.UpstreamException;
import gateway.net.UpstreamProtocol;
import gateway.wire.io.Sockets;
import gateway.wire.tls.ClientTls;
import gateway.wire.tls.ServerDistrust;
import gateway.wire.tls.TlsConnection;
import gateway.wire.tls.TlsFilesException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoFuture;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;

/// One attempt to reach a server: resolves its name, then tries its addresses in order. Runs on the IO thread.
///
/// Each address may take an even part of the time that is left, so that one which swallows packets leaves some for the
/// others; the last one may take it all.
public final class Connector {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    private static final OptionMap OPTIONS = OptionMap.create(Options.TCP_NODELAY, true);

    private final Caller caller;
    private final IoThreadResources ioThread;
    private final TargetAddress address;
    private List<InetAddress> candidates = List.of();
    private int first;
    private int tried;
    private long deadline;
    private long attemptDeadline = Long.MAX_VALUE;
    private boolean cancelled;
    private FailureReason failed = FailureReason.UNREACHABLE; // of the last attempt
    private @Nullable IoFuture<StreamConnection> attempt;
    private @Nullable TlsConnection securing;

    /// Who wants a connection; told once, on the IO thread.
    interface Caller {
        void connected(StreamConnection channel);

        void unreachable(UpstreamException why);
    }

    Connector(Caller caller, IoThreadResources ioThread, TargetAddress address) {
        this.caller = caller;
        this.ioThread = ioThread;
        this.address = address;
    }

    /// @param refresh age in nanoseconds at which the name's addresses are asked for again
    /// @param until [System#nanoTime] at which the call gives up
    void start(Resolver resolver, long refresh, long until) {
        deadline = until;
        List<InetAddress> known = resolver.known(address.host(), refresh);
        if (known != null) {
            resolved(known, resolver);
            return;
        }
        resolver.resolve(address.host(), found -> ioThread.io().execute(() -> resolved(found, resolver)));
    }

    /// Goes on to the next address when this one has had its part of the time.
    ///
    /// @param now [System#nanoTime]
    void onTick(long now) {
        if (attempt == null || attemptDeadline == Long.MAX_VALUE || now - attemptDeadline < 0) return;
        giveUp(attempt);
        tryNext();
    }

    void cancel() {
        cancelled = true;
        if (attempt != null) giveUp(attempt);
        if (securing != null) Sockets.close(securing);
    }

    private void giveUp(IoFuture<StreamConnection> attempt) {
        Sockets.mayClose(ioThread.io(), attempt::cancel);
    }

    private void resolved(List<InetAddress> found, Resolver resolver) {
        if (cancelled) return;
        candidates = found;
        if (found.isEmpty()) {
            caller.unreachable(unresolved(resolver, address.host()));
            return;
        }
        if (found.size() > 1) first = Integer.remainderUnsigned(resolver.turn(), Resolver.preferred(found));
        tryNext();
    }

    /// Why a host has no addresses to connect to.
    public static UpstreamException unresolved(Resolver resolver, String host) {
        return resolver.refuses(host)
                ? new UpstreamException(FailureReason.FORBIDDEN, "the upstream's address may not be called")
                : new UpstreamException(FailureReason.NAME_UNKNOWN, "the upstream's name is unknown");
    }

    private void tryNext() {
        if (tried == candidates.size()) {
            caller.unreachable(new UpstreamException(failed, "no connection to the upstream"));
            return;
        }
        int preferred = Resolver.preferred(candidates);
        int place = tried < preferred ? (first + tried) % preferred : tried;
        tried++;
        attemptDeadline = part(candidates.size() - tried);
        InetSocketAddress destination = new InetSocketAddress(candidates.get(place), address.port());
        attempt = ioThread.io().openStreamConnection(destination, null, OPTIONS);
        attempt.addNotifier(new Arrival(), this);
    }

    /// When to go on, with so many addresses after this one.
    private long part(int others) {
        if (others == 0) return Long.MAX_VALUE;
        long now = System.nanoTime();
        return now + (deadline - now) / (others + 1);
    }

    private void connected(StreamConnection channel) {
        attemptDeadline = Long.MAX_VALUE;
        if (address.tls() == null) {
            caller.connected(channel);
            return;
        }
        try {
            secure(channel, ioThread.tls().of(address.tls()));
        } catch (TlsFilesException e) { // its files have gone since the definition was taken
            LOG.warn("no TLS with upstream {}: {}", address, e.getMessage());
            Sockets.close(channel);
            caller.unreachable(new UpstreamException(FailureReason.TLS_FILES, "no TLS with the upstream"));
        }
    }

    private void secure(StreamConnection channel, ClientTls tls) {
        var connection = TlsConnection.toServer(
                channel,
                tls.engine(address.port(), UpstreamProtocols.offered(address.protocol())),
                ioThread.tlsThread());
        securing = connection;
        connection.handshake(this::secured, failure -> {
            if (cancelled) return;
            tls.tell(failure);
            caller.unreachable(new UpstreamException(ServerDistrust.reasonOf(failure), "no TLS with the upstream"));
        });
    }

    private void secured(TlsConnection connection) {
        securing = null;
        if (cancelled) Sockets.close(connection);
        else chosen(connection);
    }

    /// The server may have chosen another protocol than it is to be spoken to by; one that is silent means HTTP/1.1.
    private void chosen(TlsConnection connection) {
        boolean http2 = connection.protocol().equals(UpstreamProtocols.HTTP_2);
        if (http2 || address.protocol() != UpstreamProtocol.H2) {
            caller.connected(connection);
            return;
        }
        Sockets.close(connection);
        caller.unreachable(new UpstreamException(FailureReason.NO_HTTP2, "the upstream does not speak HTTP/2"));
    }

    /// Systems say in words alone whether somebody refused.
    private static FailureReason reasonOf(IOException failure) {
        boolean refused = failure instanceof ConnectException
                && String.valueOf(failure.getMessage()).contains("refused");
        return refused ? FailureReason.REFUSED : FailureReason.UNREACHABLE;
    }

    /// Told on the IO thread how an attempt ended.
    private static final class Arrival extends IoFuture.HandlingNotifier<StreamConnection, Connector> {
        @Override
        public void handleDone(StreamConnection channel, Connector connector) {
            if (connector.cancelled) Sockets.close(channel);
            else connector.connected(channel);
        }

        @Override
        public void handleFailed(IOException exception, Connector connector) {
            if (connector.cancelled) return;
            connector.failed = reasonOf(exception);
            connector.tryNext();
        }
    }
}
