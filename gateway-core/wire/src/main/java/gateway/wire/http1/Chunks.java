package gateway.wire.http1;

import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Strict reader of the chunked coding (RFC 9112 §7.1) as it lies in a buffer: says how many content bytes stand next.
/// Chunk extensions are skipped, trailers kept.
public final class Chunks {
    private static final int LONGEST_SIZE_LINE = 1024;

    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        DONE
    }

    private State state = State.SIZE;
    private long left;
    private @Nullable HeaderMap trailers;

    public boolean done() {
        return state == State.DONE;
    }

    /// Trailer fields; null or empty when there were none.
    @Nullable
    public HeaderMap trailers() {
        return trailers;
    }

    /// Passes over framing at the front of `in` and answers how many of the bytes now at the front are content;
    /// 0 when more must arrive first, or when done.
    public int content(ByteBuffer in, ResponseHeadParser parser) throws MalformedResponseException {
        while (in.hasRemaining()) {
            switch (state) {
                case SIZE -> {
                    if (!size(in)) return 0;
                }
                case DATA -> {
                    return (int) Math.min(left, in.remaining());
                }
                case DATA_END -> {
                    if (in.remaining() < 2) return 0;
                    if (in.get() != '\r' || in.get() != '\n')
                        throw new MalformedResponseException("chunk overruns its size");
                    state = State.SIZE;
                }
                case TRAILERS -> {
                    trailers = parser.parseTrailers(in);
                    if (trailers == null) return 0;
                    state = State.DONE;
                }
                case DONE -> {
                    return 0;
                }
            }
        }
        return 0;
    }

    /// So many content bytes were taken.
    public void taken(int bytes) {
        left -= bytes;
        if (state == State.DATA && left == 0) state = State.DATA_END;
    }

    private boolean size(ByteBuffer in) throws MalformedResponseException {
        int end = -1;
        int last = Math.min(in.limit(), in.position() + LONGEST_SIZE_LINE);
        for (int i = in.position(); i < last && end < 0; i++) {
            if (in.get(i) == '\n') end = i;
        }
        if (end < 0) {
            if (in.remaining() >= LONGEST_SIZE_LINE) throw new MalformedResponseException("chunk size line too long");
            return false;
        }
        left = parseSize(in, end);
        in.position(end + 1);
        state = left == 0 ? State.TRAILERS : State.DATA;
        return true;
    }

    private static long parseSize(ByteBuffer in, int end) throws MalformedResponseException {
        if (end == in.position() || in.get(end - 1) != '\r') throw new MalformedResponseException("LF without CR");
        long size = 0;
        int at = in.position();
        for (; at < end - 1; at++) {
            int digit = Character.digit(in.get(at), 16);
            if (digit < 0) break;
            if (size > Long.MAX_VALUE >> 5) throw new MalformedResponseException("chunk size");
            size = size * 16 + digit;
        }
        if (at == in.position()) throw new MalformedResponseException("chunk size");
        while (at < end - 1 && (in.get(at) == ' ' || in.get(at) == '\t')) at++;
        if (at < end - 1 && in.get(at) != ';') throw new MalformedResponseException("chunk size");
        for (; at < end - 1; at++) {
            byte c = in.get(at);
            if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) throw new MalformedResponseException("chunk extension");
        }
        return size;
    }
}
