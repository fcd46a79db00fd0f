package gateway.app.server.h2;

import gateway.app.upstream.BufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// The content of one request as it has come and nobody has read it yet; at most a window full.
final class StreamSource implements StreamSourceConduit {
    private final Http2Stream stream;
    private final XnioIoThread io;
    private final BufferPool pool;
    private final ArrayDeque<PooledByteBuffer> pieces = new ArrayDeque<>(1); // filled at the position; mostly none
    private int readFrom; // in the first piece
    private int unread;
    private boolean ended;
    private boolean broken;
    private boolean resumed;
    private boolean posted;
    private long waitingSince;
    private @Nullable ReadReadyHandler reader;

    StreamSource(Http2Stream stream, XnioIoThread io, BufferPool pool) {
        this.stream = stream;
        this.io = io;
        this.pool = pool;
    }

    /// Bytes that wait for a reader.
    int unread() {
        return unread;
    }

    /// Whether the reader has waited for longer than `nanos`.
    boolean starves(long now, long nanos) {
        return resumed && unread == 0 && !ended && !broken && now - waitingSince > nanos;
    }

    void arrived(ByteBuffer content) {
        unread += content.remaining();
        while (content.hasRemaining()) {
            PooledByteBuffer last = pieces.peekLast();
            if (last == null || !last.getBuffer().hasRemaining()) {
                last = pool.allocate();
                pieces.addLast(last);
            }
            ByteBuffer to = last.getBuffer();
            int limit = content.limit();
            content.limit(content.position() + Math.min(content.remaining(), to.remaining()));
            to.put(content);
            content.limit(limit);
        }
        wake();
    }

    void end() {
        ended = true;
        wake();
    }

    /// Nothing more is read; what is here goes.
    void abort() {
        broken = true;
        for (PooledByteBuffer piece : pieces) piece.close();
        pieces.clear();
        unread = 0;
        readFrom = 0;
        wake();
    }

    /// Later and not here: the reader may end the very stream that calls.
    private void wake() {
        if (!resumed || posted) return;
        posted = true;
        stream.soon(this::ready);
    }

    private void ready() {
        posted = false;
        ReadReadyHandler handler = reader;
        if (!resumed || handler == null) return;
        waitingSince = System.nanoTime();
        handler.readReady();
        if (unread > 0 || ended || broken) wake();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) return atEnd() ? -1 : 0;
        if (broken) throw new ClosedChannelException();
        int total = 0;
        while (target.hasRemaining() && !pieces.isEmpty()) {
            PooledByteBuffer piece = pieces.getFirst();
            ByteBuffer from = piece.getBuffer();
            int count = Math.min(target.remaining(), from.position() - readFrom);
            target.put(target.position(), from, readFrom, count);
            target.position(target.position() + count);
            readFrom += count;
            total += count;
            if (readFrom < from.position()) break;
            pieces.removeFirst().close();
            readFrom = 0;
        }
        if (total > 0) {
            unread -= total;
            stream.consumed(total);
            return total;
        }
        return atEnd() ? -1 : 0;
    }

    /// Whether all has been read; the stream is told, since the request is complete then.
    private boolean atEnd() {
        if (!ended || unread > 0) return false;
        stream.requestRead();
        return true;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) return read(targets[i]);
        }
        return 0;
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) {
        throw new UnsupportedOperationException("requests are not read into files");
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) throws IOException {
        through.clear();
        int read = read(through);
        through.flip();
        if (read <= 0) return read;
        return Buffers.remaining(new ByteBuffer[] {through}) == 0 ? 0 : target.write(through);
    }

    @Override
    public void resumeReads() {
        if (!resumed) waitingSince = System.nanoTime();
        resumed = true;
        if (unread > 0 || ended || broken) wake();
    }

    @Override
    public void suspendReads() {
        resumed = false;
    }

    @Override
    public void wakeupReads() {
        resumed = true;
        wake();
    }

    @Override
    public boolean isReadResumed() {
        return resumed;
    }

    @Override
    public void terminateReads() {
        stream.leaveUnread();
    }

    @Override
    public boolean isReadShutdown() {
        return broken || (ended && unread == 0);
    }

    @Override
    public void awaitReadable() {
        throw new UnsupportedOperationException("the request thread parks");
    }

    @Override
    public void awaitReadable(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("the request thread parks");
    }

    @Override
    public XnioIoThread getReadThread() {
        return io;
    }

    @Override
    public void setReadReadyHandler(ReadReadyHandler handler) {
        reader = handler;
    }

    @Override
    public XnioWorker getWorker() {
        return io.getWorker();
    }
}
