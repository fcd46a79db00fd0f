package gateway.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.ConduitWritableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.WriteReadyHandler;

/// Plain bytes on their way to a TLS peer. Records that the socket does not take leave by themselves once it does, so
/// whoever has written all may forget it.
final class TlsSink extends AbstractStreamSinkConduit<StreamSinkConduit> implements WriteReadyHandler {
    private final TlsConnection connection;
    private final TlsRecords records;
    private @Nullable WriteReadyHandler above;
    private boolean wanted;
    private boolean finishing;
    private boolean finished;

    TlsSink(StreamSinkConduit next, TlsConnection connection, TlsRecords records) {
        super(next);
        this.connection = connection;
        this.records = records;
        next.setWriteReadyHandler(this);
    }

    @Override
    public void setWriteReadyHandler(WriteReadyHandler handler) {
        above = handler;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (finishing) throw new ClosedChannelException();
        return records.write(sources, offset, length);
    }

    @Override
    public int writeFinal(ByteBuffer source) throws IOException {
        return Conduits.writeFinalBasic(this, source);
    }

    @Override
    public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
        return Conduits.writeFinalBasic(this, sources, offset, length);
    }

    @Override
    public long transferFrom(FileChannel source, long position, long count) throws IOException {
        return source.transferTo(position, count, new ConduitWritableByteChannel(this));
    }

    @Override
    public long transferFrom(StreamSourceChannel source, long count, ByteBuffer through) throws IOException {
        return IoUtils.transfer(source, count, through, new ConduitWritableByteChannel(this));
    }

    @Override
    public boolean flush() throws IOException {
        if (!records.flushed()) return false;
        if (finishing && !finished) {
            if (!records.finish()) return false;
            finished = true;
            next.terminateWrites();
            connection.writeClosed();
        }
        return next.flush();
    }

    @Override
    public void terminateWrites() {
        finishing = true;
    }

    @Override
    public void truncateWrites() throws IOException {
        finishing = true;
        finished = true;
        next.truncateWrites();
        connection.writeClosed();
    }

    @Override
    public boolean isWriteShutdown() {
        return finishing;
    }

    @Override
    public void writeReady() {
        try {
            if (!records.flushed()) return;
        } catch (IOException e) {
            IoUtils.safeClose(connection);
            return;
        }
        if (!connection.advance()) return;
        if (wanted && above != null) above.writeReady();
        else next.suspendWrites();
    }

    @Override
    public void resumeWrites() {
        wanted = true;
        next.resumeWrites();
    }

    @Override
    public void suspendWrites() {
        wanted = false; // the socket is left alone: it is suspended when nothing is left over
    }

    @Override
    public void wakeupWrites() {
        wanted = true;
        next.wakeupWrites();
    }

    @Override
    public boolean isWriteResumed() {
        return wanted;
    }

    @Override
    public void forceTermination() {
        if (above != null) above.forceTermination();
    }

    @Override
    public void terminated() {
        connection.writeClosed();
        if (above != null) above.terminated();
    }
}
