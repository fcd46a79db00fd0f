package gateway.app.server;

import gateway.app.http2.Frame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;

/// Tells by its first bytes which HTTP a connection in the clear speaks (RFC 9113 §3.3). Looks at no more than the
/// preface of HTTP/2, and at nothing once it knows.
final class PriorKnowledge implements Arrival {
    private static final byte[] PREFACE = Frame.PREFACE.getBytes(StandardCharsets.US_ASCII);

    private final Duration patience;
    private final Arrival http1;
    private final Arrival http2;

    /// @param patience until it is clear
    PriorKnowledge(Duration patience, Arrival http1, Arrival http2) {
        this.patience = patience;
        this.http1 = http1;
        this.http2 = http2;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress client) {
        XnioExecutor.Key deadline = connection
                .getIoThread()
                .executeAfter(() -> IoUtils.safeClose(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
        ByteBuffer first = ByteBuffer.allocate(PREFACE.length);
        connection.getSourceChannel().setReadListener(_ -> read(connection, client, first, deadline));
        connection.getSourceChannel().resumeReads();
    }

    private void read(
            StreamConnection connection, InetSocketAddress client, ByteBuffer first, XnioExecutor.Key deadline) {
        try {
            int count = connection.getSourceChannel().getConduit().read(first);
            if (count == 0) return;
            boolean same = isPreface(first);
            if (count > 0 && same && first.hasRemaining()) return;
            deadline.remove();
            if (count < 0) { // what has come is no request, and whoever took the connection would not hear of its end
                IoUtils.safeClose(connection);
                return;
            }
            connection.getSourceChannel().suspendReads();
            connection.getSourceChannel().setReadListener(null);
            var source = connection.getSourceChannel();
            source.setConduit(new ReadAhead(source.getConduit(), first.flip()));
            (same ? http2 : http1).take(connection, client);
        } catch (IOException e) {
            deadline.remove();
            IoUtils.safeClose(connection);
        }
    }

    private static boolean isPreface(ByteBuffer first) {
        for (int i = 0; i < first.position(); i++) {
            if (first.get(i) != PREFACE[i]) return false;
        }
        return true;
    }
}
