package gateway.wire.client;

import gateway.http.Body;
import gateway.http.HeldBody;
import gateway.http.PassingBody;
import gateway.http.UpstreamException;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An answer's body on whose way policies stand: each piece goes past them once, however little of it the client takes
/// at a time.
public final class PassingAnswer implements StreamedBody {
    private static final List<HttpString> OF_CONTENT = List.of(
            new HttpString("Content-MD5"),
            new HttpString("Digest"),
            new HttpString("Content-Digest"),
            new HttpString("Repr-Digest"),
            new HttpString("ETag"));

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int PIECE = 16 * 1024;
    private static final int TURN = 64 * 1024; // changing takes time, whether or not anything comes of it

    private final PassingBody body;
    private final StreamedBody source;
    private @Nullable ByteBuffer lent; // what went past last
    private int size; // of it, when it was lent
    private int seen; // bytes that went past and are still to be taken: they are not shown again
    private boolean passed;
    private int turn; // bytes that were changed since others had their turn

    private PassingAnswer(PassingBody body, StreamedBody source) {
        this.body = body;
        this.source = source;
    }

    /// On the request's thread, where it may block until a body of a policy's own kind is here.
    public static Body of(PassingBody body) {
        if (body.isHeld()) return Body.of(body.bytes(Integer.MAX_VALUE));
        Body source = body.source();
        if (source instanceof StreamedBody stream && !stream.ended()) return new PassingAnswer(body, stream);
        HeldBody whole = source instanceof HeldBody held ? held : Body.of(source.bytes(Integer.MAX_VALUE));
        return new PassingAnswer(body, new HeldAnswer(whole));
    }

    @Override
    public @Nullable ByteBuffer next(Runnable more) throws IOException {
        return body.changes() ? changed(more) : watched(more);
    }

    private @Nullable ByteBuffer watched(Runnable more) throws IOException {
        settle();
        ByteBuffer piece = source.next(more);
        if (piece == null) {
            if (source.ended() && !passed) {
                passed = true;
                body.complete();
            }
            return null;
        }
        size = piece.remaining();
        if (size > seen) {
            body.pass(piece.slice(piece.position() + seen, size - seen));
            seen = size;
        }
        lent = piece;
        return piece;
    }

    /// Notes what was taken of the piece lent last, before the source looks at it.
    private void settle() {
        if (lent != null) seen -= size - lent.remaining();
        lent = null;
    }

    /// Empty when it is the turn of others: what is here is to be asked for again later.
    private @Nullable ByteBuffer changed(Runnable more) throws IOException {
        while (true) {
            if (lent != null && lent.hasRemaining()) return lent;
            if (passed) return null;
            if (turn >= TURN) {
                turn = 0;
                return NOTHING;
            }
            ByteBuffer piece = source.next(more);
            if (piece != null) {
                int count = Math.min(piece.remaining(), PIECE);
                ByteBuffer part = piece.slice(piece.position(), count);
                piece.position(piece.position() + count);
                turn += count;
                lent = body.pass(part);
            } else if (source.ended()) {
                passed = true;
                lent = body.complete();
            } else {
                lent = body.pause();
                return lent.hasRemaining() ? lent : null;
            }
        }
    }

    @Override
    public void look() {
        source.look();
    }

    @Override
    public void readAhead(int most) {
        if (body.changes()) return; // its length is not that of what is sent
        settle();
        source.readAhead(most);
    }

    @Override
    public boolean ended() {
        return passed && (lent == null || !lent.hasRemaining());
    }

    @Override
    public boolean broken() {
        return source.broken();
    }

    @Override
    public boolean upstreamFailed() {
        return source.upstreamFailed();
    }

    @Override
    public @Nullable UpstreamException failure() {
        return source.failure();
    }

    @Override
    public @Nullable HeaderMap trailers() {
        HeaderMap fields = source.trailers();
        if (fields != null && body.changes()) OF_CONTENT.forEach(fields::remove);
        return fields;
    }

    @Override
    public OptionalLong length() {
        return body.length();
    }

    @Override
    public byte[] bytes(long max) {
        return body.bytes(max);
    }
}
