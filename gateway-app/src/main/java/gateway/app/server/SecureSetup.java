package gateway.app.server;

import gateway.app.budget.Kind;
import gateway.app.budget.Pressure;
import gateway.app.io.Sockets;
import gateway.app.tls.ServerTls;
import gateway.app.tls.TlsConnection;
import gateway.app.upstream.Deadlines;
import gateway.app.upstream.Lane;
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
final class SecureSetup implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(SecureSetup.class);

    private final ServerTls tls;
    private final Function<XnioIoThread, Lane> lanes;
    private final Duration patience;
    private final Arrival http1;
    private final Arrival http2;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder failures = new LongAdder();

    /// @param patience for a whole handshake
    SecureSetup(ServerTls tls, Function<XnioIoThread, Lane> lanes, Duration patience, Arrival http1, Arrival http2) {
        this.tls = tls;
        this.lanes = lanes;
        this.patience = patience;
        this.http1 = http1;
        this.http2 = http2;
    }

    @Override
    public void take(StreamConnection socket, InetSocketAddress client) {
        Lane lane = lanes.apply(socket.getIoThread());
        var connection = TlsConnection.ofClient(socket, tls, lane.tlsLane());
        var handshaking = new Handshaking(connection, lane);
        connection.handshake(
                established -> {
                    handshaking.over();
                    if (!tls.admits(established)) {
                        failures.increment();
                        LOG.debug("no TLS with {}: its certificate is not in force any more", client);
                        Sockets.close(established);
                        return;
                    }
                    (established.protocol().equals("h2") ? http2 : http1).take(established, client);
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
        private final Lane lane;
        private final long since = System.nanoTime();
        private int slot = -1;

        Handshaking(TlsConnection connection, Lane lane) {
            this.connection = connection;
            this.lane = lane;
            underWay.incrementAndGet();
            lane.connectionDeadlines().watch(this);
        }

        void over() {
            lane.connectionDeadlines().forget(this);
            underWay.decrementAndGet();
        }

        @Override
        public void onTick(long now) {
            if (now - since > pressure().patience(patience.toNanos())) Sockets.close(connection);
        }

        private Pressure pressure() {
            Pressure ofMemory = lane.memory().pressure();
            return ofMemory == Pressure.NONE ? lane.memory().of(Kind.ENGINES).pressure() : ofMemory;
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
    int underWay() {
        return underWay.get();
    }

    /// Handshakes that led to nothing.
    long failures() {
        return failures.sum();
    }
}
