package gateway.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// The plain bytes that a TLS peer sends. Readiness is the socket's, and also what records already here still hold.
final class TlsSource extends AbstractStreamSourceConduit<StreamSourceConduit> implements ReadReadyHandler {
    private final TlsConnection connection;
    private final TlsRecords records;
    private @Nullable ReadReadyHandler above;
    private boolean wanted;
    private boolean scheduled;

    TlsSource(StreamSourceConduit next, TlsConnection connection, TlsRecords records) {
        super(next);
        this.connection = connection;
        this.records = records;
        next.setReadReadyHandler(this);
    }

    @Override
    public void setReadReadyHandler(ReadReadyHandler handler) {
        above = handler;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return records.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) return records.read(targets[i]); // one is enough: readers come again
        }
        return 0;
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) {
        throw new UnsupportedOperationException("nothing is read into files");
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) {
        throw new UnsupportedOperationException("all is read into buffers");
    }

    @Override
    public void readReady() {
        if (!connection.advance()) return;
        if (wanted) deliver();
        else next.suspendReads();
    }

    /// Once more from the IO thread's queue while there is more: the socket does not tell of what was read from it.
    private void deliver() {
        if (above != null) above.readReady();
        if (!wanted || !records.mayHoldMore() || scheduled) return;
        scheduled = true; // others have their turn first: a task that posts itself would leave them none
        getReadThread().executeAfter(this::scheduled, 1, TimeUnit.MILLISECONDS);
    }

    private void schedule() {
        if (scheduled) return;
        scheduled = true;
        getReadThread().execute(this::scheduled);
    }

    private void scheduled() {
        scheduled = false;
        if (wanted && connection.isOpen()) deliver();
    }

    @Override
    public void resumeReads() {
        wanted = true;
        if (records.mayHoldMore()) schedule();
        next.resumeReads();
    }

    @Override
    public void suspendReads() {
        wanted = false;
        if (records.established()) next.suspendReads();
    }

    @Override
    public void wakeupReads() {
        wanted = true;
        schedule();
        next.resumeReads();
    }

    @Override
    public boolean isReadResumed() {
        return wanted;
    }

    @Override
    public void forceTermination() {
        if (above != null) above.forceTermination();
    }

    @Override
    public void terminated() {
        connection.readClosed();
        if (above != null) above.terminated();
    }
}
