package gateway.wire.accept;

import gateway.wire.io.Sockets;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.conduits.ConduitStreamSourceChannel;

/// Ends the connection of a request that was answered before its body had come: says that nothing more will be sent,
/// then reads the rest away until the client closes, lest the reset take the answer with it (RFC 9112, section 9.6).
///
/// @param longest from the answer's last byte until the connection is closed, whatever the client does
public record LingeringEnd(Duration longest) implements IoCallback {
    private static final int READS_A_TURN = 16; // then others have theirs

    @Override
    public void onComplete(HttpServerExchange exchange, Sender sender) {
        exchange.getIoThread().execute(() -> begin(exchange));
    }

    @Override
    public void onException(HttpServerExchange exchange, Sender sender, IOException failure) {
        IoUtils.safeClose(exchange.getConnection());
    }

    /// To be called on the connection's IO thread.
    public void begin(HttpServerExchange exchange) {
        var server = (AbstractServerConnection) exchange.getConnection();
        server.clearChannel();
        StreamConnection connection = server.getChannel();
        try {
            endInTime(connection, server);
            finishWriting(connection);
        } catch (IOException | RejectedExecutionException e) { // rejected: the listener is stopping
            Sockets.close(connection);
            return;
        }
        connection
                .getSourceChannel()
                .setReadListener(source ->
                        Sockets.mayClose(connection.getIoThread(), () -> readAway(connection, source, server)));
        connection.getSourceChannel().wakeupReads();
    }

    private void endInTime(StreamConnection connection, AbstractServerConnection server) {
        XnioExecutor.Key end = connection
                .getIoThread()
                .executeAfter(() -> Sockets.close(connection), longest.toMillis(), TimeUnit.MILLISECONDS);
        server.addCloseListener(_ -> end.remove());
    }

    private static void finishWriting(StreamConnection connection) throws IOException {
        var sink = connection.getSinkChannel();
        sink.shutdownWrites();
        if (sink.flush()) return;
        sink.setWriteListener(ChannelListeners.flushingChannelListener(
                flushed -> flushed.suspendWrites(), (_, _) -> Sockets.close(connection)));
        sink.resumeWrites();
    }

    private static void readAway(
            StreamConnection connection, ConduitStreamSourceChannel source, AbstractServerConnection server) {
        try (PooledByteBuffer pooled = server.getByteBufferPool().allocate()) {
            for (int reads = 0; reads < READS_A_TURN; reads++) {
                int count = source.read(pooled.getBuffer().clear());
                if (count == 0) return;
                if (count < 0) {
                    Sockets.close(connection);
                    return;
                }
            }
        } catch (IOException e) {
            Sockets.close(connection);
        }
    }
}
