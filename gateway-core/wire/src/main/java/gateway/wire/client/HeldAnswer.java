package gateway.wire.client;

import gateway.http.HeldBody;
import gateway.http.UpstreamException;
import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A body that is all here, for those who take it piece by piece. It cannot break.
final class HeldAnswer implements StreamedBody {
    private static final int PIECE = 16 * 1024;

    private final HeldBody body;
    private final ByteBuffer rest;

    HeldAnswer(HeldBody body) {
        this.body = body;
        this.rest = ByteBuffer.wrap(body.content()).asReadOnlyBuffer();
    }

    @Override
    public @Nullable ByteBuffer next(Runnable more) {
        if (ended()) return null;
        int start = rest.position();
        int count = Math.min(PIECE, rest.capacity() - start);
        return rest.limit(start + count);
    }

    @Override
    public void readAhead(int most) {}

    @Override
    public boolean ended() {
        return rest.position() == rest.capacity();
    }

    @Override
    public boolean broken() {
        return false;
    }

    @Override
    public boolean upstreamFailed() {
        return false;
    }

    @Override
    public @Nullable UpstreamException failure() {
        return null;
    }

    @Override
    public @Nullable HeaderMap trailers() {
        return null;
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
