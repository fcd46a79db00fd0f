package gateway.app.server;

import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// Reads from a client, lazily suspended: Undertow suspends reads after every request head and resumes them after
/// every response, two changes of the selector's interest for each request; here suspending is only noted, and done
/// when something really arrives meanwhile.
///
/// What arrives while an answer is awaited is looked at: the end means that the client went away; bytes are the
/// next request, and wait.
final class ClientSource extends AbstractStreamSourceConduit<StreamSourceConduit> implements ReadReadyHandler {
    private final Http1Connection connection;
    private final ReadReadyHandler above;
    private boolean wanted;
    private boolean watching;
    private @Nullable PooledByteBuffer early;

    ClientSource(StreamSourceConduit next, Http1Connection connection, ReadReadyHandler above) {
        super(next);
        this.connection = connection;
        this.above = above;
        next.setReadReadyHandler(this);
        connection.readsFrom(this);
    }

    /// Lets the selector tell what arrives, wanted or not.
    void watch() {
        if (watching || early != null) return;
        watching = true;
        next.resumeReads();
    }

    /// Whether bytes were read while an answer was awaited.
    boolean hasEarlyBytes() {
        return early != null;
    }

    @Override
    public void readReady() {
        if (wanted) {
            above.readReady();
            return;
        }
        if (early == null && connection.awaitsAnswer()) lookAhead();
        if (wanted || !watching) return;
        watching = false;
        next.suspendReads();
    }

    private void lookAhead() {
        PooledByteBuffer pooled = connection.lane().buffers().allocate();
        try {
            int count = next.read(pooled.getBuffer());
            if (count > 0) {
                pooled.getBuffer().flip();
                early = pooled;
                return;
            }
            if (count < 0) connection.close();
        } catch (IOException e) {
            connection.close();
        }
        pooled.close();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (early == null) return next.read(target);
        int count = Buffers.copy(target, early.getBuffer());
        freeWhenEmpty();
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        if (early == null) return next.read(targets, offset, length);
        int count = Buffers.copy(targets, offset, length, early.getBuffer());
        freeWhenEmpty();
        return count;
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) {
        throw new UnsupportedOperationException("requests are not read into files");
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) {
        throw new UnsupportedOperationException("requests are read into buffers");
    }

    private void freeWhenEmpty() {
        if (early == null || early.getBuffer().hasRemaining()) return;
        early.close();
        early = null;
    }

    @Override
    public void resumeReads() {
        wanted = true;
        if (early != null) {
            wakeupReads();
            return;
        }
        watch();
    }

    @Override
    public void suspendReads() {
        wanted = false;
    }

    @Override
    public void wakeupReads() {
        wanted = true;
        watching = true;
        next.wakeupReads();
    }

    @Override
    public boolean isReadResumed() {
        return wanted;
    }

    @Override
    public void terminateReads() throws IOException {
        watching = false;
        next.terminateReads();
    }

    @Override
    public void forceTermination() {
        above.forceTermination();
    }

    @Override
    public void terminated() {
        if (early != null) early.close();
        early = null;
        connection.gone();
        above.terminated();
    }
}
