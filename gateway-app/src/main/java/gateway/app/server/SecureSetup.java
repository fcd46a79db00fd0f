package gateway.app.server;

import gateway.app.tls.ServerTls;
import gateway.app.tls.TlsConnection;
import io.undertow.connector.ByteBufferPool;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;

/// Shakes hands with each client of the TLS listener before anything else; what was negotiated decides who takes the
/// connection over. A handshake that fails or takes too long closes it.
final class SecureSetup implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(SecureSetup.class);

    private final ServerTls tls;
    private final ByteBufferPool buffers;
    private final Duration patience;
    private final Arrival http1;
    private final Arrival http2;
    private final LongAdder failures = new LongAdder();

    /// @param buffers of [TlsConnection#BUFFER_BYTES] each
    /// @param patience for a whole handshake
    SecureSetup(ServerTls tls, ByteBufferPool buffers, Duration patience, Arrival http1, Arrival http2) {
        this.tls = tls;
        this.buffers = buffers;
        this.patience = patience;
        this.http1 = http1;
        this.http2 = http2;
    }

    @Override
    public void take(StreamConnection socket, InetSocketAddress client) {
        var connection = new TlsConnection(socket, tls.engine(), buffers);
        XnioExecutor.Key deadline = socket.getIoThread()
                .executeAfter(() -> tooSlow(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
        connection.handshake(
                established -> {
                    deadline.remove();
                    if (!tls.admits(established)) {
                        failures.increment();
                        LOG.debug("no TLS with {}: its certificate is not in force any more", client);
                        IoUtils.safeClose(established);
                        return;
                    }
                    (established.protocol().equals("h2") ? http2 : http1).take(established, client);
                },
                failure -> {
                    deadline.remove();
                    failures.increment();
                    LOG.debug("no TLS with {}: {}", client, failure.getMessage());
                });
    }

    private void tooSlow(TlsConnection connection) {
        failures.increment();
        IoUtils.safeClose(connection);
    }

    /// Handshakes that led to nothing.
    long failures() {
        return failures.sum();
    }
}
