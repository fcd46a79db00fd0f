package gateway.app.proxy;

import gateway.capture.BodyCapture;
import gateway.capture.CapturedBody;
import gateway.http.Body;
import gateway.http.HeldBody;
import gateway.http.Outcome.Ending;
import gateway.http.Outgoing;
import gateway.http.PassingBody;
import gateway.wire.client.SentContent;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// The content of one request as its client sends it: streaming by, or held.
final class RequestContent implements SentContent {
    private static final int SMALL = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ClientRequest client;
    private final HttpTransaction transaction;
    private final boolean streams;
    private final long length;
    private final Body body;
    private @Nullable HeldBody held;
    private boolean continueDue;
    private ByteBuffer early = NOTHING;
    private long received;
    private @Nullable StreamSourceChannel channel;
    private @Nullable BodyCapture capture;
    private @Nullable ClientWait wait;
    private @Nullable Runnable tooLate;

    RequestContent(ClientRequest client, HttpTransaction transaction) {
        HeaderMap fields = transaction.requestFields();
        this.transaction = transaction;
        this.client = client;
        this.streams = !transaction.isRequestRead();
        this.length = streams ? declaredLength(fields) : 0;
        this.continueDue = streams
                && transaction.version() != HttpVersion.HTTP_1_0 // which knows nothing of it (RFC 9110 §10.1.1)
                && HttpContinue.requiresContinueResponse(fields);
        this.body = streams ? new RequestBody(client, this) : Body.EMPTY;
    }

    private static long declaredLength(HeaderMap fields) {
        String length = fields.getFirst(Headers.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }

    /// What the exchange is made with.
    Body body() {
        return body;
    }

    /// All of it; null while it has not been held.
    @Nullable
    Body held() {
        return held;
    }

    /// All of it has come.
    void hold(HeldBody whole) {
        boolean replaced = isReplaced();
        held = whole;
        if (!replaced) outgoing().arrived(whole);
    }

    /// It streams on, ahead of it what was read for a policy that takes no more: the request may pass all the same.
    void putBack(byte[] read) {
        early = ByteBuffer.wrap(read);
    }

    /// What was put back, to be taken by moving the position.
    ByteBuffer early() {
        return early;
    }

    @Override
    public int early(ByteBuffer into) {
        int count = Math.min(early.remaining(), into.remaining());
        into.put(into.position(), early, early.position(), count).position(into.position() + count);
        early.position(early.position() + count);
        if (!early.hasRemaining()) early = NOTHING;
        return count;
    }

    /// Whether a policy has put something in its place.
    @Override
    public boolean isReplaced() {
        Body sent = outgoing().body();
        Body first = sent instanceof PassingBody passing ? passing.source() : sent;
        return !first.equals(held == null ? body : held);
    }

    private Outgoing outgoing() {
        return client.exchange().outgoing();
    }

    /// A slow client holds no connection to the upstream then. One that waits for leave is left to the upstream, and a
    /// call of gRPC to its own order.
    @Override
    public void gather() {
        boolean small = isStreaming() && length > 0 && length <= SMALL;
        if (!small || continueDue || isHere() || Grpc.isRequest(transaction)) return;
        body.bytes(limit());
    }

    /// Whether all of it is here, and none of it read.
    boolean isHere() {
        return length >= 0 && client.connection().hasWhole(length);
    }

    @Override
    public long limit() {
        return client.exchange().bodyLimit();
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
        boolean complete = length >= 0 ? received == length : transaction.isRequestRead();
        return capture.end(received, complete);
    }

    @Override
    public @Nullable StreamSourceChannel streaming() {
        return isStreaming() ? channel() : null;
    }

    @Override
    public @Nullable PassingBody passing() {
        return outgoing().body() instanceof PassingBody passing ? passing : null;
    }

    private boolean isStreaming() {
        return streams && held == null && !isReplaced();
    }

    StreamSourceChannel channel() {
        if (channel == null) channel = transaction.requestContent();
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
        if (wait == null) wait = new ClientWait(client, ClientWait.Direction.UPLOAD, () -> false, this::giveUp);
        wait.begin(received);
    }

    @Override
    public void awaitsNot() {
        if (wait != null) wait.end();
    }

    /// An answer that has begun cannot be taken back.
    private void giveUp() {
        client.progress().cut(Ending.CLIENT_SLOW);
        if (client.progress().headCame()) client.connection().giveUp();
        else if (tooLate != null) tooLate.run();
    }
}
