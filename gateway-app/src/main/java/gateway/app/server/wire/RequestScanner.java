package gateway.app.server.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Follows the bytes of one client connection, request after request, and finds the first octet that strict
/// HTTP/1.1 does not allow. Looks at heads and chunk framing only; content is passed over by count. Nothing is
/// copied but lines that arrive in pieces.
final class RequestScanner {
    private enum Phase {
        REQUEST_LINE,
        HEADERS,
        CONTENT,
        CHUNK_LINE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILERS
    }

    private static final int EARLIER = -1;

    private final WireLimits limits;
    private final RequestHead head = new RequestHead();
    private final LineRest rest = new LineRest();

    private Phase phase = Phase.REQUEST_LINE;
    private int headBytes;
    private int headers;
    private long remaining; // bytes of content or chunk data to come
    private int start; // where in this piece the message begins, or EARLIER
    private @Nullable Refusal refusal;
    private boolean inContent;
    private boolean skipped; // an empty line before this request

    RequestScanner(WireLimits limits) {
        this.limits = limits;
    }

    /// Why the connection is refused, once it is.
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /// Whether the head of the refused request had passed whole in an earlier piece, so that the request is under
    /// way.
    boolean refusedInContent() {
        return inContent;
    }

    /// Whether the next byte begins a request: whatever came before has passed whole.
    boolean atMessageStart() {
        return phase == Phase.REQUEST_LINE && rest.isEmpty();
    }

    /// Looks at the next bytes of the connection, `from` to `to` in `buffer`. Answers the index up to which
    /// they may go on: `to`, or less when [#refusal] tells why; then the refused request's own bytes stay behind
    /// as far as they lie in this piece. Less without a refusal: an empty line before a request begins there,
    /// which the caller takes out before it goes on (RFC 9112 §2.2); only one is, and only when both octets lie
    /// in this piece.
    int scan(ByteBuffer buffer, int from, int to) {
        if (phase == Phase.CONTENT && remaining > to - from) { // the bulk of an upload
            remaining -= to - from;
            return to;
        }
        if (refusal != null) return from;
        start = atMessageStart() ? from : EARLIER;
        inContent = phase.compareTo(Phase.CONTENT) >= 0;
        int at = from;
        while (at < to && refusal == null) {
            if (phase == Phase.REQUEST_LINE && isEmptyLine(buffer, at, to)) return at;
            at = step(buffer, at, to);
        }
        if (refusal == null) return to;
        return start == EARLIER ? from : start;
    }

    private boolean isEmptyLine(ByteBuffer buffer, int at, int to) {
        if (skipped || !rest.isEmpty() || to - at < 2) return false;
        skipped = buffer.get(at) == '\r' && buffer.get(at + 1) == '\n';
        return skipped;
    }

    private int step(ByteBuffer buffer, int at, int to) {
        return switch (phase) {
            case REQUEST_LINE, HEADERS, CHUNK_LINE, TRAILERS -> line(buffer, at, to);
            case CONTENT, CHUNK_DATA -> content(at, to);
            case CHUNK_END -> chunkEnd(buffer, at);
        };
    }

    private int content(int at, int to) {
        long passed = Math.min(remaining, to - at);
        remaining -= passed;
        int next = at + (int) passed;
        if (remaining > 0) return next;
        if (phase == Phase.CONTENT) {
            nextMessage(next);
        } else {
            phase = Phase.CHUNK_END;
            remaining = 2;
        }
        return next;
    }

    private int chunkEnd(ByteBuffer buffer, int at) {
        if (buffer.get(at) != (remaining == 2 ? '\r' : '\n')) return refuse(Refusal.CHUNK_DATA, at);
        if (--remaining == 0) phase = Phase.CHUNK_LINE;
        return at + 1;
    }

    private int line(ByteBuffer buffer, int at, int to) {
        if (rest.endsInCr()) {
            if (buffer.get(at) != '\n') return refuse(Refusal.LINE_END, at);
            return keptLine(at + 1);
        }
        int end = Octets.firstControl(buffer, at, to);
        if (end == to) return unfinished(buffer, at, to);
        byte octet = buffer.get(end);
        if (octet != '\r') return refuse(octet == '\n' ? Refusal.LINE_END : Refusal.CONTROL_OCTET, at);
        if (end + 1 == to) return unfinished(buffer, at, to);
        if (buffer.get(end + 1) != '\n') return refuse(Refusal.LINE_END, at);
        if (rest.isEmpty()) return checked(buffer, at, end, end + 2);
        rest.keep(buffer, at, end);
        return keptLine(end + 2);
    }

    private int unfinished(ByteBuffer buffer, int at, int to) {
        Refusal wrong = tooLong(rest.length() + to - at);
        if (wrong != null) return refuse(wrong, at);
        rest.keep(buffer, at, to);
        return to;
    }

    private int keptLine(int next) {
        ByteBuffer line = rest.line();
        int after = checked(line, 0, line.limit(), next);
        rest.clear();
        return after;
    }

    /// Acts on one whole line; `next` is where the one after it begins.
    private int checked(ByteBuffer line, int from, int to, int next) {
        Refusal wrong = tooLong(to - from + 2);
        headBytes += to - from + 2;
        if (wrong == null) {
            wrong = switch (phase) {
                case REQUEST_LINE -> requestLine(line, from, to);
                case HEADERS -> from == to ? headEnd(next) : headerLine(line, from, to);
                case CHUNK_LINE -> chunkLine(line, from, to);
                case TRAILERS -> from == to ? messageEnd(next) : trailerLine(line, from, to);
                case CONTENT, CHUNK_DATA, CHUNK_END -> throw new IllegalStateException();
            };
        }
        return wrong == null ? next : refuse(wrong, next);
    }

    private @Nullable Refusal tooLong(int bytes) {
        return switch (phase) {
            case REQUEST_LINE -> bytes > limits.requestLineBytes() ? Refusal.REQUEST_LINE_TOO_LONG : null;
            case CHUNK_LINE -> bytes > WireLimits.CHUNK_LINE_BYTES ? Refusal.CHUNK_EXTENSION : null;
            default -> headBytes + bytes > limits.headBytes() ? Refusal.HEAD_TOO_LARGE : null;
        };
    }

    private @Nullable Refusal requestLine(ByteBuffer line, int from, int to) {
        phase = Phase.HEADERS;
        return head.requestLine(line, from, to);
    }

    private @Nullable Refusal headerLine(ByteBuffer line, int from, int to) {
        return ++headers > limits.headers() ? Refusal.TOO_MANY_HEADERS : head.headerLine(line, from, to);
    }

    private @Nullable Refusal trailerLine(ByteBuffer line, int from, int to) {
        return ++headers > limits.headers() ? Refusal.TOO_MANY_HEADERS : TrailerLine.wrong(line, from, to);
    }

    private @Nullable Refusal headEnd(int next) {
        Refusal wrong = head.end();
        if (wrong != null) return wrong;
        if (head.chunked()) {
            startSection(Phase.CHUNK_LINE);
        } else if (head.contentLength() > 0) {
            phase = Phase.CONTENT;
            remaining = head.contentLength();
        } else {
            nextMessage(next);
        }
        return null;
    }

    private @Nullable Refusal chunkLine(ByteBuffer line, int from, int to) {
        Refusal wrong = ChunkLine.wrong(line, from, to);
        if (wrong != null) return wrong;
        remaining = ChunkLine.size(line, from, to);
        if (remaining == 0) startSection(Phase.TRAILERS);
        else phase = Phase.CHUNK_DATA;
        return null;
    }

    private @Nullable Refusal messageEnd(int next) {
        nextMessage(next);
        return null;
    }

    private void startSection(Phase next) {
        phase = next;
        headBytes = 0;
        headers = 0;
    }

    private void nextMessage(int next) {
        startSection(Phase.REQUEST_LINE);
        head.reset();
        start = next;
        inContent = false;
        skipped = false;
    }

    private int refuse(Refusal wrong, int at) {
        refusal = wrong;
        return at;
    }
}
