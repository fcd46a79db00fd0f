package gateway.app.proxy;

import gateway.capture.BodyCapture;
import gateway.capture.CapturedBody;
import gateway.http.Body;
import gateway.http.Outcome.Ending;
import gateway.route.Route;
import gateway.wire.client.ProxiedContent;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// The content of one request: the client's as it streams in, or what a policy put in its place.
final class RequestContent implements ProxiedContent {
    private static final int SMALL = 16 * 1024;

    private final HttpServerExchange undertow;
    private final UndertowExchange exchange;
    private final boolean streams;
    private final long length;
    private Body body;
    private boolean held;
    private boolean replaced;
    private boolean continueDue;
    private long limit;
    private long received;
    private @Nullable StreamSourceChannel channel;
    private @Nullable BodyCapture capture;
    private @Nullable ClientWait wait;
    private @Nullable Runnable tooLate;
    private @Nullable Holding memory;

    RequestContent(HttpServerExchange undertow, UndertowExchange exchange, @Nullable Route route) {
        HeaderMap fields = undertow.getRequestHeaders();
        this.undertow = undertow;
        this.exchange = exchange;
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

    /// All of it has come.
    void hold(Body whole) {
        body = whole;
        held = true;
    }

    void replace(Body other) {
        body = other;
        held = true;
        replaced = true;
    }

    /// Whether a policy has put something in its place.
    boolean isReplaced() {
        return replaced;
    }

    /// A slow client holds no connection to the upstream then. One that waits for leave is left to the upstream, and a
    /// call of gRPC to its own order.
    @Override
    public void gather() {
        boolean small = streams && !held && length > 0 && length <= SMALL;
        if (!small || continueDue || exchange.connection().hasWhole(length) || Grpc.isRequest(undertow)) return;
        body.bytes(limit);
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
        return streams && !held ? channel() : null;
    }

    StreamSourceChannel channel() {
        if (channel == null) channel = undertow.getRequestChannel();
        return channel;
    }

    @Override
    public boolean continueDue() {
        return continueDue;
    }

    /// The client may send from now on; answers whether it waits to be told.
    boolean giveLeave() {
        boolean waits = continueDue;
        continueDue = false;
        return waits;
    }

    @Override
    public void awaits(Runnable late) {
        tooLate = late;
        if (wait == null) wait = new ClientWait(exchange, ClientWait.Direction.UPLOAD, () -> false, this::giveUp);
        wait.begin(received);
    }

    @Override
    public void awaitsNot() {
        if (wait != null) wait.end();
    }

    /// What is held of both bodies draws on it.
    Holding memory() {
        if (memory == null) memory = new Holding(exchange.ioThread().purse(Kind.BODIES));
        return memory;
    }

    /// The request is over.
    void release() {
        if (memory != null) memory.release();
    }

    /// An answer that has begun cannot be taken back.
    private void giveUp() {
        exchange.progress().cut(Ending.CLIENT_SLOW);
        if (exchange.progress().headCame()) exchange.connection().giveUp();
        else if (tooLate != null) tooLate.run();
    }
}
