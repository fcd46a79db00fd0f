package gateway.wire.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.StreamConnection;
import org.xnio.conduits.StreamSourceConduit;

/// Closes a connection whose sending side has ended once the client has seen it: reads on and discards, until the
/// client closes, too much comes or time is up. Closing with bytes unread would reset the connection (RFC 9112
/// §9.6).
public final class LingeringClose {
    private static final long PATIENCE_MILLIS = 1_000;
    private static final long MAX_DISCARDED = 4 * 1024 * 1024;
    private static final int SCRATCH_BYTES = 4 * 1024;

    private final StreamConnection connection;
    private final StreamSourceConduit source;
    private long discarded;

    /// @param source of what the client still sends
    public LingeringClose(StreamConnection connection, StreamSourceConduit source) {
        this.connection = connection;
        this.source = source;
    }

    /// Whatever the connection was read by gets no more.
    public void begin() {
        try {
            connection
                    .getIoThread()
                    .executeAfter(() -> Sockets.close(connection), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) { // the gateway is stopping
            Sockets.close(connection);
            return;
        }
        connection
                .getSourceChannel()
                .setReadListener(channel -> Sockets.mayClose(connection.getIoThread(), this::readable));
        source.wakeupReads();
    }

    private void readable() {
        try {
            if (!discard()) return;
        } catch (IOException e) {
            // the client is gone: nothing to wait for
        }
        Sockets.close(connection);
    }

    /// Reads away what has arrived. Answers whether nothing more need be waited for.
    public boolean discard() throws IOException {
        var scratch = ByteBuffer.allocate(SCRATCH_BYTES); // for this turn: who lingers holds none
        int count;
        do {
            scratch.clear();
            count = source.read(scratch);
            if (count > 0) discarded += count;
        } while (count > 0 && discarded < MAX_DISCARDED);
        return count != 0;
    }
}
