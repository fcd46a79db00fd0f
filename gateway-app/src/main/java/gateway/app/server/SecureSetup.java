package gateway.app.server;

import gateway.app.tls.ServerTls;
import gateway.app.tls.TlsConnection;
import gateway.app.upstream.Lane;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
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
        XnioIoThread io = socket.getIoThread();
        var connection = TlsConnection.ofClient(socket, tls, lanes.apply(io).tlsLane());
        underWay.incrementAndGet();
        XnioExecutor.Key deadline =
                io.executeAfter(() -> IoUtils.safeClose(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
        connection.handshake(
                established -> {
                    over(deadline);
                    if (!tls.admits(established)) {
                        failures.increment();
                        LOG.debug("no TLS with {}: its certificate is not in force any more", client);
                        IoUtils.safeClose(established);
                        return;
                    }
                    (established.protocol().equals("h2") ? http2 : http1).take(established, client);
                },
                failure -> {
                    over(deadline);
                    failures.increment();
                    LOG.debug("no TLS with {}: {}", client, failure.getMessage());
                });
    }

    private void over(XnioExecutor.Key deadline) {
        deadline.remove();
        underWay.decrementAndGet();
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
