package gateway.app.upstream;

import gateway.app.upstream.h2.UpstreamSession;
import gateway.app.upstream.h2.UpstreamStream;
import gateway.http.BodyTooLargeException;
import gateway.http.HeldBody;
import gateway.service.UpstreamException;
import gateway.service.UpstreamException.Kind;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// Writes one request to a stream of an upstream's connection, as the client sends it and the windows let it. Runs on
/// the IO thread.
///
/// The first bytes of a body that streams, a buffer full, are kept until the answer begins: a request that a server
/// has refused, or never looked at when it closed its connection, can be sent again if it has no more than that.
final class Http2Sender implements Sending {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ROUNDS = 64;

    private final Http2Call call;
    private final ProxiedExchange exchange;
    private final Target target;
    private final boolean preserveHost;
    private final @Nullable HeldBody held;
    private final @Nullable StreamSourceChannel source;
    private @Nullable UpstreamStream stream;
    private @Nullable ByteBuffer taken;
    private ByteBuffer out = NOTHING;
    private long bodyTaken;
    private boolean sourceEnded;
    private boolean waitsForContinue;
    private boolean begun;
    private boolean unprocessed;
    private boolean answered;
    private boolean finished;
    private boolean stopped;

    Http2Sender(Http2Call call, ProxiedExchange exchange, Target target, boolean preserveHost) {
        this.call = call;
        this.exchange = exchange;
        this.target = target;
        this.preserveHost = preserveHost;
        this.source = exchange.content().streaming();
        this.held =
                source == null && exchange.body() instanceof HeldBody body && body.content().length > 0 ? body : null;
        this.sourceEnded = source == null;
        this.waitsForContinue = source != null && exchange.content().continueDue();
    }

    /// Refuses a body that is known to be too large before the upstream is asked.
    void checkLength() {
        long length = held != null ? held.content().length : exchange.content().length();
        if (length > exchange.content().limit())
            throw new BodyTooLargeException(exchange.content().limit());
    }

    UpstreamStream start(UpstreamSession session) {
        begun = true;
        boolean bare = source == null && held == null;
        boolean toHead = exchange.method().equals(Methods.HEAD_STRING);
        UpstreamStream opened = session.open(head(), bare, toHead, call);
        stream = opened;
        if (held != null) out = ByteBuffer.wrap(held.content());
        else if (taken != null) out = taken.position(0); // what the last stream was sent
        if (waitsForContinue) call.awaitingContinue();
        return opened;
    }

    private HeaderMap head() {
        HeaderMap head = RequestHead.fields(exchange, target, preserveHost);
        if (held != null) head.put(Headers.CONTENT_LENGTH, held.content().length);
        else if (source != null && exchange.content().length() >= 0)
            head.put(Headers.CONTENT_LENGTH, exchange.content().length());
        else if (source == null && exchange.requestFields().contains(Headers.CONTENT_LENGTH))
            head.put(Headers.CONTENT_LENGTH, 0);
        if (waitsForContinue) head.put(Headers.EXPECT, "100-continue");
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
        return source == null || bodyTaken == (taken == null ? 0 : taken.limit());
    }

    /// Whether another sender can begin from here.
    boolean isUntouched() {
        return source == null || bodyTaken == 0;
    }

    @Override
    public boolean isUnsent() {
        return !begun || unprocessed;
    }

    @Override
    public boolean isRepeatable() {
        return source == null || (bodyTaken == 0 && (stopped || finished));
    }

    boolean finished() {
        return finished;
    }

    /// Why there is no answer in time: whoever has to act.
    UpstreamException late() {
        boolean awaitsClient = source != null && begun && !sourceEnded && !waitsForContinue && !out.hasRemaining();
        return awaitsClient
                ? new UpstreamException(Kind.CLIENT_SLOW, "the request did not come whole in time")
                : new UpstreamException(Kind.TIMEOUT, "the upstream took too long");
    }

    /// The upstream, or the gateway in its place, asked for the body.
    void continued() {
        if (!waitsForContinue) return;
        waitsForContinue = false;
        pump();
    }

    /// The answer has begun: the request is not sent again.
    void answered() {
        answered = true;
        if (!out.hasRemaining()) free();
    }

    void stop() {
        if (stopped) return;
        stopped = true;
        if (source != null && !finished) source.suspendReads();
        stream = null;
        free();
    }

    /// Moves on as far as both sides let it.
    void pump() {
        for (int round = 0; round < ROUNDS; round++) {
            UpstreamStream to = stream;
            if (to == null || finished || stopped) return;
            to.write(out);
            if (out.hasRemaining()) {
                if (source != null) source.suspendReads();
                return;
            }
            if (sourceEnded) {
                finish(to);
                return;
            }
            if (waitsForContinue || !refill()) return;
        }
        exchange.lane().io().executeAfter(this::pump, 1, TimeUnit.MILLISECONDS); // others have their turn first
    }

    /// The next piece from the client; false when none is there yet, or the call is over.
    private boolean refill() {
        int count = fill();
        if (stopped) return false;
        if (count != 0) return true;
        if (answered || bodyTaken == 0) free();
        if (source != null) {
            source.getReadSetter().set(channel -> pump());
            source.resumeReads();
        }
        return false;
    }

    /// Takes from the client what fits behind what is kept, or in its place.
    private int fill() {
        ByteBuffer buffer = taken;
        if (buffer == null) buffer = exchange.lane().buffers().take().limit(0);
        taken = buffer;
        boolean keeps = !answered && isWhole() && buffer.limit() < buffer.capacity();
        int begin = keeps ? buffer.limit() : 0;
        buffer.limit(buffer.capacity()).position(begin);
        int count = read(buffer);
        if (stopped) return -1;
        out = buffer.limit(buffer.position()).position(begin);
        return count;
    }

    private int read(ByteBuffer buffer) {
        int count;
        try {
            count = source == null ? -1 : source.read(buffer);
        } catch (IOException e) {
            call.requestFailed(new UpstreamException(Kind.CLIENT_GONE, "the client broke off"));
            return -1;
        }
        if (count < 0) sourceEnded = true;
        if (count <= 0) return count;
        bodyTaken += count;
        exchange.content().received(buffer, buffer.position() - count, count);
        if (bodyTaken > exchange.content().limit())
            call.requestFailed(new BodyTooLargeException(exchange.content().limit()));
        else if (bodyTaken == exchange.content().length()) endSource();
        return count;
    }

    /// The last byte is here: lets the client's side know at once that the request has ended.
    private void endSource() {
        sourceEnded = true;
        try {
            if (source != null) source.read(NOTHING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void finish(UpstreamStream to) {
        finished = true;
        to.end(source == null ? null : exchange.requestTrailers());
        if (answered) free();
        call.sent();
    }

    private void free() {
        out = NOTHING;
        if (taken != null) exchange.lane().buffers().giveBack(taken);
        taken = null;
    }
}
