package gateway.app.proxy;

import gateway.wire.io.BufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// Reads from a client, lazily suspended: Undertow suspends reads after every request head and resumes them after
/// every response, two changes of the selector's interest for each request; here suspending is only noted, and done
/// when something really arrives meanwhile.
///
/// What arrives while an answer is awaited is read: the end means that the client went away; bytes are the next
/// request, and wait. Reading goes on behind them, as the end comes behind them too, until no more may wait.
final class ClientSource extends AbstractStreamSourceConduit<StreamSourceConduit> implements ReadReadyHandler {
    private final Http1Connection connection;
    private final ReadReadyHandler above;
    private boolean wanted;
    private boolean watching;

    ClientSource(StreamSourceConduit next, Http1Connection connection, ReadReadyHandler above) {
        super(next);
        this.connection = connection;
        this.above = above;
        next.setReadReadyHandler(this);
        connection.readsFrom(this);
    }

    /// Lets the selector tell what arrives, wanted or not.
    void watch() {
        if (watching || !connection.readsAhead()) return;
        watching = true;
        next.resumeReads();
    }

    /// Reads what has come meanwhile, as long as that may wait.
    void look() {
        int count = 1;
        while (count > 0 && connection.readsAhead()) count = readAhead();
    }

    @Override
    public void readReady() {
        if (wanted) {
            above.readReady();
            return;
        }
        if (connection.awaitsAnswer() && connection.readsAhead()) {
            readAhead();
            return;
        }
        if (!watching) return;
        watching = false;
        next.suspendReads();
    }

    /// A client that has gone between two requests is closed here: the reader above would leave that to XNIO, at the
    /// price that [Sockets] tells of.
    @Override
    public int read(ByteBuffer into) throws IOException {
        int count;
        try {
            count = next.read(into);
        } catch (IOException e) {
            connection.leftIfIdle();
            throw e;
        }
        if (count < 0) connection.leftIfIdle();
        return count;
    }

    private int readAhead() {
        BufferPool buffers = connection.ioThread().buffers();
        ByteBuffer scratch = buffers.take();
        try {
            int count = connection.readAhead(scratch);
            if (count < 0) connection.close();
            return count;
        } catch (IOException e) {
            connection.close();
            return -1;
        } finally {
            buffers.giveBack(scratch);
        }
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) {
        throw new UnsupportedOperationException("requests are not read into files");
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) {
        throw new UnsupportedOperationException("requests are read into buffers");
    }

    @Override
    public void resumeReads() {
        wanted = true;
        if (watching) return;
        watching = true;
        next.resumeReads();
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
        connection.gone();
        above.terminated();
    }
}
