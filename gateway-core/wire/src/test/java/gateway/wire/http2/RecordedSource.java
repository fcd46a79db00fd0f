package gateway.wire.http2;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// A socket that gives what has come, one arrival a read at most; it can do nothing else.
final class RecordedSource implements StreamSourceConduit {
    private final ArrayDeque<ByteBuffer> arrivals = new ArrayDeque<>();

    RecordedSource comes(byte[] octets, int from, int count) {
        arrivals.add(ByteBuffer.wrap(octets, from, count));
        return this;
    }

    boolean isEmpty() {
        return arrivals.isEmpty();
    }

    @Override
    public int read(ByteBuffer target) {
        ByteBuffer arrival = arrivals.peek();
        if (arrival == null) return 0;
        int count = Math.min(target.remaining(), arrival.remaining());
        target.put(arrival.slice(arrival.position(), count));
        arrival.position(arrival.position() + count);
        if (!arrival.hasRemaining()) arrivals.remove();
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void terminateReads() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReadShutdown() {
        return false;
    }

    @Override
    public void resumeReads() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void suspendReads() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wakeupReads() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReadResumed() {
        return false;
    }

    @Override
    public void awaitReadable() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void awaitReadable(long time, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public XnioIoThread getReadThread() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setReadReadyHandler(ReadReadyHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public XnioWorker getWorker() {
        throw new UnsupportedOperationException();
    }
}
