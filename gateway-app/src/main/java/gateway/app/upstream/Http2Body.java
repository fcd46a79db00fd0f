package gateway.app.upstream;

import gateway.app.upstream.h2.UpstreamStream;
import gateway.http.BodyTooLargeException;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The body of an answer by HTTP/2. The server may send as much as is taken, and a window more.
final class Http2Body implements StreamedBody {
    private final Http2Call call;
    private final UpstreamStream stream;
    private final ProxiedExchange exchange;
    private final long length;
    private boolean ended;
    private @Nullable IOException broken;
    private boolean upstreamFailed;
    private @Nullable Runnable more;
    private byte @Nullable [] held;

    /// @param length -1 when not known
    Http2Body(Http2Call call, UpstreamStream stream, ProxiedExchange exchange, long length) {
        this.call = call;
        this.stream = stream;
        this.exchange = exchange;
        this.length = length;
    }

    @Override
    public @Nullable ByteBuffer next(Runnable then) throws IOException {
        if (broken != null) throw broken;
        if (ended) return null;
        ByteBuffer content = stream.content();
        if (content != null) return content;
        if (!stream.ended()) {
            more = then;
            return null;
        }
        ended = true;
        call.bodyEnded();
        return null;
    }

    /// It is about to be broken off by the upstream's doing.
    void blameUpstream() {
        upstreamFailed = true;
    }

    /// Whether somebody waits for more.
    boolean isAwaited() {
        return more != null;
    }

    /// From now on the body is broken; whoever waits for it is told.
    void breakOff(IOException why) {
        if (broken == null) broken = why;
        arrived();
    }

    /// Nobody wants it any more, nor is told, but for a request thread that waits for all of it.
    void abandon() {
        if (broken == null) broken = new IOException("nobody wants the rest");
        if (more instanceof BodyCollector) arrived();
    }

    /// Tells whoever waits.
    void arrived() {
        Runnable waits = more;
        if (waits == null) return;
        more = null;
        waits.run();
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
        return stream.trailers();
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
            held = new BodyCollector(this, max).collect(exchange);
        }
        if (held.length > max) throw new BodyTooLargeException(max);
        return held;
    }
}
