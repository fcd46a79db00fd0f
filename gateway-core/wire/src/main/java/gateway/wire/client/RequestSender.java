package gateway.wire.client;

import gateway.http.UpstreamException;
import gateway.wire.io.HeadWriter;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes one request to an upstream connection: the head, and as much body as is there, in one go; the rest as
/// the client sends it and the upstream takes it. Runs on the IO thread.
public final class RequestSender implements Sending, BodySource.Taker {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int CHUNK_FRAME = 6; // four hexadecimal digits, CR, LF
    private static final int LAST_ROUNDS = 64;

    private final Http1Call call;
    private final byte[] held;
    private final BodySource source;
    private final boolean chunked;
    private @Nullable UpstreamConnection connection;
    private @Nullable ByteBuffer taken;
    private ByteBuffer out = NOTHING;
    private ByteBuffer tail = NOTHING;
    private boolean encoded;
    private boolean wroteAnything;
    private boolean finished;
    private boolean stopped;

    RequestSender(Http1Call call) {
        this.call = call;
        this.source = BodySource.of(call.client.content(), this);
        this.held = BodySource.held(call.client.content(), call.outgoing.body());
        this.chunked = source.streams() && source.length() < 0;
    }

    void start(UpstreamConnection to) {
        connection = to;
        if (!encoded) encode();
        pump();
    }

    /// For another connection: what was not written yet stays as it is.
    void reset() {
        connection = null;
        if (!wroteAnything) return;
        free();
        tail = NOTHING;
        encoded = false;
        wroteAnything = false;
        finished = false;
    }

    /// Whether the request may be sent again: nothing of it was written, or it is idempotent (RFC 9110 §9.2.2) and its
    /// body can be had again.
    boolean mayRepeat() {
        return !wroteAnything || (isIdempotent(call.outgoing.method()) && source.isUntouched());
    }

    @Override
    public boolean isUnsent() {
        return !wroteAnything;
    }

    @Override
    public boolean isRepeatable() {
        return !source.streams() || (source.isUntouched() && (stopped || finished));
    }

    public static boolean isIdempotent(String method) {
        return switch (method) {
            case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    boolean finished() {
        return finished;
    }

    @Override
    public UpstreamException late() {
        return source.late(wroteAnything && !out.hasRemaining() && !tail.hasRemaining());
    }

    @Override
    public void continued() {
        if (source.release()) pump();
    }

    @Override
    public void bodyFailed(RuntimeException why) {
        call.requestFailed(why);
    }

    @Override
    public void stop() {
        if (stopped) return;
        stopped = true;
        if (!finished) source.pause();
        connection = null;
        free();
    }

    private void encode() {
        encoded = true;
        HeadWriter head = call.client.ioThread().headWriter();
        RequestHeadWriter.begin(head, call);
        if (held.length > 0)
            head.put("Content-Length: ").put((long) held.length).end();
        else if (chunked) head.put("Transfer-Encoding: chunked\r\n");
        else if (source.streams())
            head.put("Content-Length: ").put(source.length()).end();
        else if (call.client.requestFields().contains(Headers.CONTENT_LENGTH)) head.put("Content-Length: 0\r\n");
        if (source.waits()) head.put("Expect: 100-continue\r\n");
        head.end();
        taken = call.client.ioThread().buffers().take();
        out = taken;
        if (head.length() > out.capacity()) {
            free();
            out = ByteBuffer.allocate(head.length());
        }
        head.copyTo(out);
        if (held.length > 0) tail = ByteBuffer.wrap(held);
        if (tail.hasRemaining() && tail.remaining() <= out.remaining()) {
            out.put(tail);
            tail = NOTHING;
        }
        out.flip();
        if (source.waits()) call.awaitingContinue();
        else if (source.streams()) fillBehindHead();
    }

    /// Puts the beginning of the body, mostly all of a small one, behind the head.
    private void fillBehindHead() {
        int begin = out.limit();
        if (out.capacity() - begin <= CHUNK_FRAME + 2) return;
        out.limit(out.capacity()).position(begin);
        fill();
        out.limit(out.position()).position(0);
    }

    /// Takes from the client what fits behind the position; frames it when chunked. Leaves the position behind it.
    private int fill() {
        int begin = out.position();
        if (chunked) out.position(begin + CHUNK_FRAME).limit(out.limit() - 2);
        int count = source.read(out);
        if (stopped) return -1;
        if (!chunked) return count;
        out.limit(out.limit() + 2);
        if (count > 0) frame(begin, count);
        else out.position(begin);
        if (count < 0) tail = ByteBuffer.wrap(lastChunk());
        return count;
    }

    private void frame(int begin, int count) {
        for (int i = 0; i < 4; i++) {
            out.put(begin + i, (byte) Character.forDigit((count >> (12 - 4 * i)) & 15, 16));
        }
        out.put(begin + 4, (byte) '\r').put(begin + 5, (byte) '\n');
        out.put((byte) '\r').put((byte) '\n');
    }

    private byte[] lastChunk() {
        HeadWriter writer = call.client.ioThread().headWriter().clear().put("0\r\n");
        HeaderMap trailers = call.client.requestTrailers();
        if (trailers != null) RequestHeadWriter.fields(writer, trailers);
        return writer.end().toBytes();
    }

    /// Moves on as far as both sides let it.
    @Override
    public void pump() {
        UpstreamConnection to = connection;
        if (to == null || finished || stopped) return;
        try {
            for (int round = 0; round < LAST_ROUNDS; round++) {
                if (!write(to)) {
                    source.pause();
                    to.watchWrites(true);
                    return;
                }
                if (source.ended()) {
                    finish(to);
                    return;
                }
                if (source.waits() || !refill(to)) return;
            }
            to.watchWrites(true); // others have their turn first: a task that posts itself would leave them none
        } catch (IOException e) {
            call.sendingBroke();
        }
    }

    private boolean write(UpstreamConnection to) throws IOException {
        while (out.hasRemaining() || tail.hasRemaining()) {
            long count = tail.hasRemaining() ? to.write(new ByteBuffer[] {out, tail}) : to.write(out);
            if (count == 0) return false;
            wroteAnything = true;
        }
        return true;
    }

    /// The next piece from the client; false when none is there yet, or the call is over.
    private boolean refill(UpstreamConnection to) {
        if (taken == null) {
            taken = call.client.ioThread().buffers().take();
            out = taken;
        }
        out.clear();
        int count = fill();
        if (stopped) return false;
        out.flip();
        if (count != 0) return true;
        free();
        to.watchWrites(false);
        source.await();
        return false;
    }

    private void finish(UpstreamConnection to) {
        finished = true;
        free();
        source.pause();
        to.watchWrites(false);
        call.sent();
    }

    private void free() {
        out = NOTHING;
        if (taken != null) call.client.ioThread().buffers().giveBack(taken);
        taken = null;
    }
}
