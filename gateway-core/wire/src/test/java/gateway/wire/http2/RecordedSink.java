package gateway.wire.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.WriteReadyHandler;

/// A socket that takes what is written, all of it unless told otherwise, and keeps it; it can do nothing else.
final class RecordedSink implements StreamSinkConduit {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private int room = Integer.MAX_VALUE;

    /// Takes so many bytes more, and then none.
    void takes(int bytes) {
        room = bytes;
    }

    byte[] taken() {
        return taken.toByteArray();
    }

    @Override
    public int write(ByteBuffer content) {
        var octets = new byte[Math.min(room, content.remaining())];
        room -= octets.length;
        content.get(octets);
        taken.writeBytes(octets);
        return octets.length;
    }

    @Override
    public long write(ByteBuffer[] contents, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length; i++) count += write(contents[i]);
        return count;
    }

    @Override
    public int writeFinal(ByteBuffer content) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long writeFinal(ByteBuffer[] contents, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(FileChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(StreamSourceChannel source, long count, ByteBuffer through) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void terminateWrites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWriteShutdown() {
        return false;
    }

    @Override
    public void resumeWrites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void suspendWrites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wakeupWrites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWriteResumed() {
        return false;
    }

    @Override
    public void awaitWritable() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void awaitWritable(long time, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public XnioIoThread getWriteThread() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setWriteReadyHandler(WriteReadyHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void truncateWrites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public XnioWorker getWorker() {
        throw new UnsupportedOperationException();
    }
}
