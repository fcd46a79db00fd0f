package gateway.wire.client;

import gateway.http.UpstreamException;
import gateway.wire.http2.UpstreamSession;
import gateway.wire.http2.UpstreamStream;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes one request to a stream of an upstream's connection, as the client sends it and the windows let it. Runs on
/// the IO thread.
///
/// The first bytes of a body that streams, a buffer full, are kept until the answer begins: a request that a server
/// has refused, or never looked at when it closed its connection, can be sent again if it has no more than that.
final class Http2Sender implements Sending, BodySource.Taker {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ROUNDS = 64;

    private final Http2Call call;
    private final byte[] held;
    private final BodySource source;
    private @Nullable UpstreamStream stream;
    private @Nullable ByteBuffer taken;
    private ByteBuffer out = NOTHING;
    private boolean begun;
    private boolean unprocessed;
    private boolean answered;
    private boolean finished;
    private boolean stopped;

    Http2Sender(Http2Call call) {
        this.call = call;
        this.source = BodySource.of(call.client.content(), this);
        this.held = BodySource.held(call.client.content(), call.outgoing.body());
    }

    UpstreamStream start(UpstreamSession session) {
        begun = true;
        boolean bare = !source.streams() && held.length == 0;
        boolean toHead = call.outgoing.method().equals(Methods.HEAD_STRING);
        UpstreamStream opened = session.open(head(), bare, toHead, call);
        stream = opened;
        if (held.length > 0) out = ByteBuffer.wrap(held);
        else if (taken != null) out = taken.position(0); // what the last stream was sent
        if (source.waits()) call.awaitingContinue();
        return opened;
    }

    private HeaderMap head() {
        HeaderMap head = RequestHeadWriter.fields(call);
        if (held.length > 0) head.put(Headers.CONTENT_LENGTH, held.length);
        else if (source.streams() && source.length() >= 0) head.put(Headers.CONTENT_LENGTH, source.length());
        else if (!source.streams() && call.client.requestFields().contains(Headers.CONTENT_LENGTH))
            head.put(Headers.CONTENT_LENGTH, 0);
        if (source.waits()) head.put(Headers.EXPECT, "100-continue");
        return head;
    }

    /// For another stream: all that was taken is still here.
    void reset() {
        stream = null;
        begun = false;
        finished = false;
    }

    /// The server did nothing about the request, and says so.
    void unprocessed() {
        unprocessed = true;
    }

    /// Whether all of the request can be sent once more from here.
    boolean isWhole() {
        return source.taken() == (taken == null ? 0 : taken.limit());
    }

    /// Whether another sender can begin from here.
    boolean isUntouched() {
        return source.isUntouched();
    }

    @Override
    public boolean isUnsent() {
        return !begun || unprocessed;
    }

    @Override
    public boolean isRepeatable() {
        return !source.streams() || (source.isUntouched() && (stopped || finished));
    }

    @Override
    public UpstreamException late() {
        return source.late(begun && !out.hasRemaining());
    }

    @Override
    public void continued() {
        if (source.release()) pump();
    }

    @Override
    public void bodyFailed(RuntimeException why) {
        call.requestFailed(why);
    }

    /// The answer has begun: the request is not sent again.
    void answered() {
        answered = true;
        if (!out.hasRemaining()) free();
    }

    @Override
    public void stop() {
        if (stopped) return;
        stopped = true;
        if (!finished) source.pause();
        stream = null;
        free();
    }

    /// Moves on as far as both sides let it.
    @Override
    public void pump() {
        for (int round = 0; round < ROUNDS; round++) {
            UpstreamStream to = stream;
            if (to == null || finished || stopped) return;
            to.write(out);
            if (out.hasRemaining()) {
                source.pause();
                return;
            }
            if (source.ended()) {
                finish(to);
                return;
            }
            if (source.waits() || !refill()) return;
        }
        // others have their turn first; not by the socket, which all streams share: any flush would end the wait
        call.client.ioThread().io().executeAfter(this::pump, 1, TimeUnit.MILLISECONDS);
    }

    /// The next piece from the client; false when none is there yet, or the call is over.
    private boolean refill() {
        int count = fill();
        if (stopped) return false;
        if (count != 0) return true;
        if (answered || source.isUntouched()) free();
        source.await();
        return false;
    }

    /// Takes from the client what fits behind what is kept, or in its place.
    private int fill() {
        ByteBuffer buffer = taken;
        if (buffer == null) buffer = call.client.ioThread().buffers().take().limit(0);
        taken = buffer;
        boolean keeps = !answered && isWhole() && buffer.limit() < buffer.capacity();
        int begin = keeps ? buffer.limit() : 0;
        buffer.limit(buffer.capacity()).position(begin);
        int count = source.read(buffer);
        if (stopped) return -1;
        out = buffer.limit(buffer.position()).position(begin);
        return count;
    }

    private void finish(UpstreamStream to) {
        finished = true;
        to.end(call.client.requestTrailers());
        if (answered) free();
        call.sent();
    }

    private void free() {
        out = NOTHING;
        if (taken != null) call.client.ioThread().buffers().giveBack(taken);
        taken = null;
    }
}
