package gateway.wire.client;

import gateway.wire.http2.UpstreamStream;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The body of an answer by HTTP/2. The server may send as much as is taken, and a window more.
final class Http2Body extends AnswerBody {
    private final Http2Call call;
    private final UpstreamStream stream;

    /// @param length -1 when not known
    Http2Body(Http2Call call, UpstreamStream stream, long length) {
        super(length);
        this.call = call;
        this.stream = stream;
    }

    @Override
    WireCall call() {
        return call;
    }

    @Override
    @Nullable
    HeaderMap receivedTrailers() {
        return stream.trailers();
    }

    @Override
    @Nullable
    ByteBuffer piece(Runnable then) throws IOException {
        requireUnbroken();
        if (ended()) return null;
        ByteBuffer content = stream.content();
        if (content != null) return content;
        if (!stream.ended()) {
            awaitMore(then);
            return null;
        }
        markEnded();
        call.over();
        return null;
    }
}
