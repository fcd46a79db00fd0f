package gateway.app.upstream;

import gateway.http.BodyTooLargeException;
import gateway.service.UpstreamException;
import gateway.service.UpstreamException.Kind;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The body of an upstream's response, taken from the connection only as fast as it is asked for.
final class UpstreamBody implements StreamedBody {
    private static final long UNTIL_CLOSE = Long.MAX_VALUE;

    private final Http1Call call;
    private final UpstreamConnection connection;
    private final @Nullable ProxiedExchange exchange;
    private final @Nullable Lane lane;
    private final @Nullable Chunks chunks;
    private final long length;
    private long left;
    private boolean ended;
    private @Nullable IOException broken;
    private boolean upstreamFailed;
    private @Nullable Runnable more;
    private byte @Nullable [] held;
    // what next() gave last: from where, and where the buffer really ends
    private int lentFrom = -1;
    private int bufferEnd;

    private UpstreamBody(
            Http1Call call,
            UpstreamConnection connection,
            @Nullable ProxiedExchange exchange,
            @Nullable Lane lane,
            @Nullable Chunks chunks,
            long length) {
        this.call = call;
        this.connection = connection;
        this.exchange = exchange;
        this.lane = lane;
        this.chunks = chunks;
        this.length = length;
        this.left = length < 0 ? UNTIL_CLOSE : length;
        this.ended = length == 0;
    }

    static UpstreamBody empty(Http1Call call, UpstreamConnection connection) {
        return new UpstreamBody(call, connection, null, null, null, 0);
    }

    static UpstreamBody of(
            Http1Call call, UpstreamConnection connection, Lane lane, ProxiedExchange exchange, ResponseHead head) {
        Chunks chunks = head.chunked() ? new Chunks() : null;
        return new UpstreamBody(call, connection, exchange, lane, chunks, head.contentLength());
    }

    @Override
    public @Nullable ByteBuffer next(Runnable then) throws IOException {
        while (true) {
            if (broken != null) throw broken;
            takeBack();
            if (ended) return null;
            ByteBuffer in = connection.in();
            int count = contentIn(in);
            if (count > 0) {
                lentFrom = in.position();
                bufferEnd = in.limit();
                in.limit(lentFrom + count);
                return in;
            }
            if (ended) return null;
            int read = read();
            if (read == 0) {
                more = then;
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
            throw breakOff(e);
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
        if (left == 0) end(!in.hasRemaining());
    }

    private int contentIn(ByteBuffer in) throws IOException {
        if (chunks == null) return (int) Math.min(left, in.remaining());
        if (lane == null) return 0;
        try {
            int count = chunks.content(in, lane.headParser());
            if (chunks.done()) end(!in.hasRemaining());
            return count;
        } catch (MalformedResponseException e) {
            throw breakOff(e);
        }
    }

    private void endOfStream() throws IOException {
        if (chunks == null && left == UNTIL_CLOSE) {
            end(false);
            return;
        }
        throw breakOff(new IOException("the upstream broke off"));
    }

    private void end(boolean reusable) {
        ended = true;
        call.bodyEnded(reusable);
    }

    private IOException breakOff(IOException why) {
        return breakOff(why, true);
    }

    /// The time for all of it is over: the upstream's fault only where somebody waits for more.
    void late() {
        breakOff(new IOException("the upstream took too long"), more != null);
    }

    /// From now on the body is broken; whoever waits for it is told.
    IOException breakOff(IOException why, boolean byUpstream) {
        if (broken == null) {
            broken = why;
            upstreamFailed = byUpstream;
            lentFrom = -1;
            call.lost(Kind.BROKEN, "the upstream broke off");
        }
        arrived();
        return why;
    }

    /// Nobody wants it any more, nor is told, but for a request thread that waits for all of it.
    void abandon() {
        if (broken == null) broken = new IOException("nobody wants the rest");
        lentFrom = -1;
        if (more instanceof BodyCollector) arrived();
    }

    /// The connection takes nothing more: what has arrived is the rest, so whoever waits for more looks again.
    void writingBroke() {
        if (chunks == null && left == UNTIL_CLOSE) breakOff(new IOException("the upstream broke off"));
        else arrived();
    }

    /// Tells whoever waits; false when nobody does.
    boolean arrived() {
        Runnable waiting = more;
        if (waiting == null) return false;
        more = null;
        waiting.run();
        return true;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public boolean broken() {
        return broken != null;
    }

    @Override
    public boolean upstreamFailed() {
        return upstreamFailed;
    }

    @Override
    public @Nullable HeaderMap trailers() {
        return chunks == null ? null : chunks.trailers();
    }

    @Override
    public OptionalLong length() {
        if (held != null) return OptionalLong.of(held.length);
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    @Override
    public byte[] bytes(long max) {
        if (held == null) {
            if (length > max) throw new BodyTooLargeException(max);
            if (exchange == null) return new byte[0];
            held = new BodyCollector(this, max).collect(exchange);
        }
        if (held.length > max) throw new BodyTooLargeException(max);
        return held;
    }

    static UpstreamException brokenOff() {
        return new UpstreamException(Kind.BROKEN, "the upstream broke off");
    }
}
