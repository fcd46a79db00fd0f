package gateway.wire.http2;

import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.ConduitWritableByteChannel;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.WriteReadyHandler;

/// Where one response is written. Keeps nothing itself: takes content as far as the windows of the client and the
/// socket's queue let it, and puts it into frames there.
final class StreamSink implements StreamSinkConduit {
    private final Http2Stream stream;
    private final Http2Session session;
    private boolean headSent;
    private boolean ended;
    private boolean told;
    private boolean broken;
    private boolean resumed;
    private boolean posted;
    private long mark; // what must have left for all that was written to have
    private @Nullable WriteReadyHandler writer;

    StreamSink(Http2Stream stream, Http2Session session) {
        this.stream = stream;
        this.session = session;
    }

    /// Whether the head of the response has been sent.
    boolean began() {
        return headSent;
    }

    boolean ended() {
        return ended;
    }

    void abort() {
        broken = true;
        wake();
        suspendWrites();
    }

    /// The client or the socket takes more again, or the stream is over: whoever waits is told, soon.
    void wake() {
        if (!resumed || posted) return;
        posted = true;
        session.soon(this::ready);
    }

    private void ready() {
        posted = false;
        WriteReadyHandler handler = writer;
        if (handler != null && (resumed || broken)) handler.writeReady();
    }

    /// Sends this head, whose content is a tunnel's.
    void open(HeaderMap fields) {
        headSent = true;
        session.writer().head(stream.id(), fields, false);
        mark = session.output().appended();
    }

    @Override
    public int write(ByteBuffer content) throws IOException {
        check();
        sendHead(false);
        int total = 0;
        while (content.hasRemaining()) {
            int count = session.outflow().allowed(stream, content.remaining());
            if (count <= 0) break;
            session.outflow().send(stream, content, count);
            total += count;
        }
        if (resumed && total > 0) session.writers().written(this);
        mark = session.output().appended();
        return total;
    }

    private void check() throws ClosedChannelException {
        if (broken || ended) throw new ClosedChannelException();
    }

    private void sendHead(boolean last) {
        if (headSent) return;
        headSent = true;
        session.writer()
                .head(
                        stream.id(),
                        stream.transaction().status(),
                        stream.transaction().responseFields(),
                        last);
    }

    @Override
    public long write(ByteBuffer[] contents, int offset, int length) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += write(contents[i]);
            if (contents[i].hasRemaining()) break;
        }
        return total;
    }

    @Override
    public int writeFinal(ByteBuffer content) throws IOException {
        int count = write(content);
        if (!content.hasRemaining()) terminateWrites();
        return count;
    }

    @Override
    public long writeFinal(ByteBuffer[] contents, int offset, int length) throws IOException {
        long count = write(contents, offset, length);
        if (length == 0 || !contents[offset + length - 1].hasRemaining()) terminateWrites();
        return count;
    }

    @Override
    public void terminateWrites() throws IOException {
        if (ended || broken) return;
        HeaderMap trailers = stream.transaction().responseTrailers();
        if (!headSent && trailers == null) {
            sendHead(true);
        } else {
            sendHead(false);
            if (trailers != null) session.writer().head(stream.id(), trailers, true);
            else session.writer().endContent(stream.id());
        }
        ended = true;
        mark = session.output().appended();
    }

    @Override
    public boolean flush() throws IOException {
        if (broken) throw new ClosedChannelException();
        if (!headSent) { // a client may wait for the head before it sends more
            sendHead(false);
            mark = session.output().appended();
        }
        if (!session.outflow().gathers() && !flushed()) return false;
        if (ended && !told) {
            told = true;
            stream.responseSent();
        }
        return true;
    }

    private boolean flushed() {
        session.flush();
        return session.output().sent() >= mark;
    }

    @Override
    public void truncateWrites() {
        stream.reset(ErrorCode.INTERNAL_ERROR);
    }

    @Override
    public boolean isWriteShutdown() {
        return ended || broken;
    }

    @Override
    public void resumeWrites() {
        resume();
        if (broken
                || (session.output().sent() >= mark
                        && (ended || session.outflow().allowed(stream, 1) > 0))) wake();
    }

    @Override
    public void suspendWrites() {
        if (resumed) session.writers().waitsNot(this);
        resumed = false;
    }

    private void resume() {
        if (!resumed) session.writers().waits(this);
        resumed = true;
    }

    @Override
    public void wakeupWrites() {
        resume();
        wake();
    }

    @Override
    public boolean isWriteResumed() {
        return resumed;
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
    public void awaitWritable() {
        throw new UnsupportedOperationException("responses are written by events");
    }

    @Override
    public void awaitWritable(long time, TimeUnit unit) {
        throw new UnsupportedOperationException("responses are written by events");
    }

    @Override
    public XnioIoThread getWriteThread() {
        return session.io();
    }

    @Override
    public void setWriteReadyHandler(WriteReadyHandler handler) {
        writer = handler;
    }

    @Override
    public XnioWorker getWorker() {
        return session.io().getWorker();
    }
}
