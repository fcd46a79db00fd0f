package gateway.wire.http2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
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
    private final Unread unread;
    private boolean ended;
    private boolean broken;
    private boolean unwanted;
    private boolean resumed;
    private boolean posted;
    private boolean arrived; // and not handed on
    private @Nullable ReadReadyHandler reader;

    /// @param unread what has come and nobody has read
    StreamSource(Http2Stream stream, XnioIoThread io, Unread unread) {
        this.stream = stream;
        this.io = io;
        this.unread = unread;
    }

    /// Bytes that wait for a reader.
    int unread() {
        return unread.size();
    }

    /// Content has come; answers how many bytes of it nobody will read.
    int arrived(ByteBuffer content) {
        if (unwanted) return content.remaining();
        unread.add(content);
        arrive();
        return 0;
    }

    /// The end has come.
    void end() {
        ended = true;
        arrive();
    }

    /// The end had come before there was anybody to be told.
    void ended() {
        ended = true;
        wake();
    }

    private void arrive() {
        if (arrived) return;
        arrived = true;
        stream.arrived();
    }

    /// What has come is handed to a reader that waits, and kept as far as it does not take it; false when there is no
    /// memory for that.
    ///
    /// @param goOn whether the connection does
    boolean handOn(boolean goOn) {
        arrived = false;
        if (goOn && resumed) ready();
        return unread.keep();
    }

    /// Nobody reads the rest: what is here goes, what comes is not kept. Answers how many bytes went.
    int discard() {
        unwanted = true;
        return unread.clear();
    }

    /// Nothing more is read; what is here goes, and is answered.
    int abort() {
        broken = true;
        int left = unread.clear();
        wake();
        return left;
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
        if (broken) resumed = false; // told for the last time
        handler.readReady();
        if (unread.size() > 0 || ended) wake();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) return atEnd() ? -1 : 0;
        if (broken) throw new ClosedChannelException();
        int total = unread.read(target);
        if (total == 0) return atEnd() ? -1 : 0;
        stream.consumed(total);
        return total;
    }

    /// Whether all has been read; the stream is told, since the request is complete then. A reader who knows is not
    /// told
    /// again.
    private boolean atEnd() {
        if (!ended || unread.size() > 0) return false;
        resumed = false;
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
        resumed = true;
        if (unread.size() > 0 || ended || broken) wake();
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
        return broken || (ended && unread.size() == 0);
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
