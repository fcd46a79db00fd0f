package gateway.wire.client;

import gateway.wire.http1.Chunks;
import gateway.wire.http1.MalformedResponseException;
import gateway.wire.http1.ResponseHead;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The body of an upstream's response, taken from the connection only as fast as it is asked for.
final class UpstreamBody extends AnswerBody {
    private static final long UNTIL_CLOSE = Long.MAX_VALUE;

    private final Http1Call call;
    private final UpstreamConnection connection;
    private final @Nullable Chunks chunks;
    private long left;
    // what next() gave last: from where, and where the buffer really ends
    private int lentFrom = -1;
    private int bufferEnd;

    private UpstreamBody(Http1Call call, UpstreamConnection connection, @Nullable Chunks chunks, long length) {
        super(length);
        this.call = call;
        this.connection = connection;
        this.chunks = chunks;
        this.left = length < 0 ? UNTIL_CLOSE : length;
        if (length == 0) markEnded();
    }

    static UpstreamBody empty(Http1Call call, UpstreamConnection connection) {
        return new UpstreamBody(call, connection, null, 0);
    }

    static UpstreamBody of(Http1Call call, UpstreamConnection connection, ResponseHead head) {
        Chunks chunks = head.chunked() ? new Chunks() : null;
        return new UpstreamBody(call, connection, chunks, head.contentLength());
    }

    @Override
    WireCall call() {
        return call;
    }

    @Override
    @Nullable
    HeaderMap receivedTrailers() {
        return chunks == null ? null : chunks.trailers();
    }

    @Override
    @Nullable
    ByteBuffer piece(Runnable then) throws IOException {
        while (true) {
            requireUnbroken();
            takeBack();
            if (ended()) return null;
            ByteBuffer in = connection.in();
            int count = contentIn(in);
            if (count > 0) {
                lentFrom = in.position();
                bufferEnd = in.limit();
                in.limit(lentFrom + count);
                return in;
            }
            if (ended()) return null;
            int read = read();
            if (read == 0) {
                awaitMore(then);
                connection.watchReads();
                return null;
            }
            if (read < 0) endOfStream();
        }
    }

    private int read() throws IOException {
        try {
            return connection.read();
        } catch (IOException e) {
            throw breakOff(e, true);
        }
    }

    /// Counts what was taken of the bytes lent last, and gives the buffer its end back.
    private void takeBack() {
        if (lentFrom < 0) return;
        ByteBuffer in = connection.in();
        int taken = in.position() - lentFrom;
        in.limit(bufferEnd);
        lentFrom = -1;
        if (chunks != null) {
            chunks.taken(taken);
            return;
        }
        if (left != UNTIL_CLOSE) left -= taken;
        if (left == 0) end();
    }

    private int contentIn(ByteBuffer in) throws IOException {
        if (chunks == null) return (int) Math.min(left, in.remaining());
        try {
            int count = chunks.content(in, call.ioThread.headParser());
            if (chunks.done()) end();
            return count;
        } catch (MalformedResponseException e) {
            throw breakOff(e, true);
        }
    }

    /// The size of the first chunk mostly comes with the head, and then the head can still be withheld.
    @Override
    public void look() {
        if (chunks == null || ended() || broken() || lentFrom >= 0) return;
        ByteBuffer in = connection.in();
        try {
            if (in.hasRemaining()) contentIn(in);
        } catch (IOException e) {
            // the body is broken now, and says so
        }
    }

    private void endOfStream() throws IOException {
        if (!endsByClose()) throw breakOff(cutOff(), true);
        end();
    }

    /// Whether the end of the connection is the body's, as nothing else tells it.
    private boolean endsByClose() {
        return chunks == null && left == UNTIL_CLOSE;
    }

    private void end() {
        markEnded();
        call.bodyEnded(connection);
    }

    /// The connection takes nothing more: what has arrived is the rest, so whoever waits for more looks again.
    void writingBroke() {
        if (endsByClose()) breakOff(cutOff(), true);
        else arrived();
    }

    private static IOException cutOff() {
        return new IOException("the upstream broke off");
    }
}
