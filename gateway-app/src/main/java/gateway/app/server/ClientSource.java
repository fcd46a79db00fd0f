package gateway.app.server;

import gateway.app.budget.Holding;
import gateway.app.budget.Kind;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
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
    private final BodyPatience patience;
    private boolean wanted;
    private boolean watching;
    private final Holding held;
    private @Nullable ByteBuffer early;

    ClientSource(StreamSourceConduit next, Http1Connection connection, ReadReadyHandler above, Duration bodyTimeout) {
        super(next);
        this.patience = new BodyPatience(connection, bodyTimeout);
        this.connection = connection;
        this.held = new Holding(connection.lane().purse(Kind.HEADS));
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
        try (PooledByteBuffer pooled = connection.lane().buffers().allocate()) {
            int count = next.read(pooled.getBuffer());
            if (count < 0 || (count > 0 && !keep(pooled.getBuffer().flip()))) connection.close();
        } catch (IOException e) {
            connection.close();
        }
    }

    /// On the heap in its size: the answer may take long. False when the heap has no room for it.
    private boolean keep(ByteBuffer bytes) {
        if (!held.hold(bytes.remaining())) return false;
        early = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        return true;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (early == null) return next.read(target);
        int count = Buffers.copy(target, early);
        freeWhenEmpty();
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        if (early == null) return next.read(targets, offset, length);
        int count = Buffers.copy(targets, offset, length, early);
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
        if (early == null || early.hasRemaining()) return;
        early = null;
        held.release();
    }

    @Override
    public void resumeReads() {
        wanted = true;
        if (connection.receivesBody()) patience.begin();
        if (early != null) {
            wakeupReads();
            return;
        }
        watch();
    }

    @Override
    public void suspendReads() {
        wanted = false;
        patience.end();
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
        early = null;
        held.release();
        patience.forget();
        connection.gone();
        above.terminated();
    }
}
