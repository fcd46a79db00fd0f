package gateway.wire.accept;

import gateway.wire.io.ConnectionResources;
import gateway.wire.io.Deadlines;
import gateway.wire.io.Newcomer;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Kind;
import gateway.wire.memory.Pressure;
import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TlsConnection;
import gateway.wire.tls.TlsThreadResources;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Shakes hands with each client of the TLS listener before anything else; what was negotiated decides who takes the
/// connection over. A handshake that fails or takes too long closes it.
public final class SecureSetup implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(SecureSetup.class);

    private final ServerTls tls;
    private final Function<XnioIoThread, ConnectionResources> everyIoThread;
    private final Function<XnioIoThread, TlsThreadResources> everyTlsThread;
    private final Duration patience;
    private final Arrival http1;
    private final Arrival http2;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder failures = new LongAdder();

    /// @param patience for a whole handshake
    public SecureSetup(
            ServerTls tls,
            Function<XnioIoThread, ConnectionResources> everyIoThread,
            Function<XnioIoThread, TlsThreadResources> everyTlsThread,
            Duration patience,
            Arrival http1,
            Arrival http2) {
        this.tls = tls;
        this.everyIoThread = everyIoThread;
        this.everyTlsThread = everyTlsThread;
        this.patience = patience;
        this.http1 = http1;
        this.http2 = http2;
    }

    @Override
    public void take(StreamConnection socket, InetSocketAddress client, Newcomer newcomer) {
        ConnectionResources ioThread = everyIoThread.apply(socket.getIoThread());
        var connection = TlsConnection.ofClient(socket, newcomer, tls, everyTlsThread.apply(socket.getIoThread()));
        var handshaking = new Handshaking(connection, ioThread);
        connection.handshake(
                established -> {
                    handshaking.over();
                    if (!tls.admits(established)) {
                        failures.increment();
                        LOG.debug("no TLS with {}: its certificate is not in force any more", client);
                        Sockets.close(established);
                        return;
                    }
                    (established.protocol().equals("h2") ? http2 : http1).take(established, client, newcomer);
                },
                failure -> {
                    handshaking.over();
                    failures.increment();
                    LOG.debug("no TLS with {}: {}", client, failure.getMessage());
                });
    }

    /// A handshake that has not ended. It has a tenth of its time when memory is tight, or the share of engines is.
    private final class Handshaking implements Deadlines.Timed {
        private final TlsConnection connection;
        private final ConnectionResources ioThread;
        private final long since = System.nanoTime();
        private int slot = -1;

        Handshaking(TlsConnection connection, ConnectionResources ioThread) {
            this.connection = connection;
            this.ioThread = ioThread;
            underWay.incrementAndGet();
            ioThread.connectionDeadlines().watch(this);
        }

        void over() {
            ioThread.connectionDeadlines().forget(this);
            underWay.decrementAndGet();
        }

        @Override
        public void onTick(long now) {
            if (now - since > pressure().patience(patience.toNanos())) Sockets.close(connection);
        }

        private Pressure pressure() {
            Pressure ofMemory = ioThread.memory().pressure();
            return ofMemory == Pressure.NONE
                    ? ioThread.memory().of(Kind.ENGINES).pressure()
                    : ofMemory;
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

    /// Handshakes that have begun and not ended.
    public int underWay() {
        return underWay.get();
    }

    /// Handshakes that led to nothing.
    public long failures() {
        return failures.sum();
    }
}
