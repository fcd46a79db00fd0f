package gateway.app.server;

import gateway.app.upstream.ProxiedContent;
import gateway.capture.BodyCapture;
import gateway.capture.CapturedBody;
import gateway.http.Body;
import gateway.route.Route;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// The content of one request: the client's as it streams in, or what a policy put in its place.
final class RequestContent implements ProxiedContent {
    private final HttpServerExchange undertow;
    private final boolean streams;
    private final long length;
    private Body body;
    private boolean replaced;
    private boolean continueDue;
    private long limit;
    private long received;
    private @Nullable StreamSourceChannel channel;
    private @Nullable BodyCapture capture;

    RequestContent(HttpServerExchange undertow, UndertowExchange exchange, @Nullable Route route) {
        HeaderMap fields = undertow.getRequestHeaders();
        this.undertow = undertow;
        this.limit = route == null ? Long.MAX_VALUE : route.api().maxBodyBytes();
        this.streams = !undertow.isRequestComplete();
        this.length = streams ? declaredLength(fields) : 0;
        this.continueDue = streams && HttpContinue.requiresContinueResponse(fields);
        this.body = streams ? new RequestBody(exchange, length) : Body.EMPTY;
    }

    private static long declaredLength(HeaderMap fields) {
        String length = fields.getFirst(Headers.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }

    Body body() {
        return body;
    }

    void replace(Body other) {
        body = other;
        replaced = true;
    }

    @Override
    public long limit() {
        return limit;
    }

    void limit(long bytes) {
        limit = Math.min(limit, bytes);
    }

    @Override
    public long length() {
        return length;
    }

    /// Keeps what arrives from now on.
    void capture(@Nullable BodyCapture with) {
        capture = with;
    }

    @Override
    public void received(ByteBuffer from, int start, int count) {
        received += count;
        if (capture != null) capture.add(from, start, count);
    }

    /// Bytes that have come so far, without the framing of chunks.
    long received() {
        return received;
    }

    /// What was kept of them, once no more come.
    CapturedBody captured() {
        if (capture == null) return CapturedBody.NONE;
        boolean complete = length >= 0 ? received == length : undertow.isRequestComplete();
        return capture.end(received, complete);
    }

    @Override
    public @Nullable StreamSourceChannel streaming() {
        return streams && !replaced ? channel() : null;
    }

    StreamSourceChannel channel() {
        if (channel == null) channel = undertow.getRequestChannel();
        return channel;
    }

    @Override
    public boolean continueDue() {
        return continueDue;
    }

    void continued() {
        continueDue = false;
    }
}
