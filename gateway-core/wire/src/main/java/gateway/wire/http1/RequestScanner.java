package gateway.wire.http1;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Follows the bytes of one client connection, request after request, and finds the first octet that strict
/// HTTP/1.1 does not allow. Looks at heads and chunk framing only; content is passed over by count. Copies nothing.
///
/// What has not come whole stays with the caller, who shows it again with more behind it: a head and trailers until
/// their last line is here, a line that tells a chunk's size until its end is. What was looked at once is not looked at
/// again.
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

    /// There is no end of a head.
    static final int NONE = -1;

    private final WireLimits limits;
    private final ScannedHead head = new ScannedHead();

    private Phase phase = Phase.REQUEST_LINE;
    private int sectionBytes; // of the lines so far
    private int sectionLines;
    private int fieldBytes; // of head and trailers
    private int fieldLines;
    private int longestLine; // of all heads so far
    private long remaining; // bytes of content or chunk data to come
    private int line; // how far behind what has gone on the line begins that is not whole
    private int looked; // how far behind that it has no end
    private int begin; // of what is shown
    private int seen; // up to where in it a line has no end
    private int headEnd = NONE;
    private boolean over; // the message has ended, and the next is not looked at
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

    /// Whether the head of the refused request is sound, so that the request is under way.
    boolean refusedInContent() {
        return inContent;
    }

    /// Whether no line of the next request has come whole, and all that came before has gone on.
    boolean atMessageStart() {
        return phase == Phase.REQUEST_LINE;
    }

    /// Whether some of a head has come.
    boolean inHead() {
        return phase == Phase.REQUEST_LINE || phase == Phase.HEADERS;
    }

    /// Whether the latest [#scan] stopped at the end of a message.
    boolean isOver() {
        return over;
    }

    /// Where the latest [#scan] found the end of a head; [#NONE] when it found none.
    int headEnd() {
        return headEnd;
    }

    /// Where in the latest head its target begins, from its first octet on.
    int targetFrom() {
        return head.targetFrom();
    }

    /// Where in the latest head its target ends.
    int targetTo() {
        return head.targetTo();
    }

    /// Whether the latest head is of a version of HTTP/1 behind 1.1.
    boolean isLater() {
        return head.isLater();
    }

    /// Whether the latest head asks what the server can do, by a URL alone.
    boolean isOfServer() {
        return head.isOfServer();
    }

    /// Bytes of the head and trailers of the message so far, as far as they have come whole.
    int fieldBytes() {
        return fieldBytes;
    }

    /// Lines of them, without the first.
    int fieldLines() {
        return fieldLines;
    }

    /// The longest header line of all messages so far.
    int longestLine() {
        return longestLine;
    }

    /// Where the message begins that is shown from `from` on: behind an empty line, of which one may stand before a
    /// request (RFC 9112 §2.2). The caller takes it out.
    int afterEmptyLine(ByteBuffer buffer, int from, int to) {
        if (phase != Phase.REQUEST_LINE || skipped || to - from < 2) return from;
        if (buffer.get(from) != '\r' || buffer.get(from + 1) != '\n') return from;
        skipped = true;
        looked = 0;
        return from + 2;
    }

    /// Looks at what is shown of the connection, `from` to `to` in `buffer`. Answers the index up to which it may go
    /// on, at most to the end of the message; the rest is shown again. When [#refusal] tells why, nothing may go on
    /// but a head that has come whole: what becomes of a request does not depend on what came in one piece with it.
    int scan(ByteBuffer buffer, int from, int to) {
        headEnd = NONE;
        over = false;
        inContent = phase.compareTo(Phase.CONTENT) >= 0;
        if (phase == Phase.CONTENT && remaining > to - from) { // the bulk of an upload
            remaining -= to - from;
            return to;
        }
        begin = from;
        seen = from + looked;
        int at = from + line;
        int passable = from;
        while (at < to && refusal == null && !over) {
            int next = step(buffer, at, to);
            if (next == NONE) break;
            at = next;
            if (over || isFree()) passable = at;
        }
        if (refusal != null) {
            inContent |= headEnd != NONE;
            return headEnd == NONE ? from : headEnd;
        }
        line = at - passable;
        looked = Math.max(at, seen) - passable;
        return passable;
    }

    /// Whether what has been looked at may go on, and need not wait for more.
    private boolean isFree() {
        return phase.compareTo(Phase.CONTENT) >= 0 && phase != Phase.TRAILERS;
    }

    /// The index of what follows, or [#NONE] when more must come first.
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
            messageEnd();
        } else {
            phase = Phase.CHUNK_END;
            remaining = 2;
        }
        return next;
    }

    private int chunkEnd(ByteBuffer buffer, int at) {
        if (buffer.get(at) != (remaining == 2 ? '\r' : '\n')) return refuse(Refusal.CHUNK_DATA);
        if (--remaining == 0) phase = Phase.CHUNK_LINE;
        return at + 1;
    }

    private int line(ByteBuffer buffer, int at, int to) {
        int end = Octets.firstControl(buffer, Math.max(at, seen), to);
        if (end == to) return unfinished(to - at, end);
        byte octet = buffer.get(end);
        if (octet != '\r') return refuse(octet == '\n' ? Refusal.LINE_END : Refusal.CONTROL_OCTET);
        if (end + 1 == to) return unfinished(to - at, end);
        if (buffer.get(end + 1) != '\n') return refuse(Refusal.LINE_END);
        return checked(buffer, at, end);
    }

    private int unfinished(int bytes, int end) {
        seen = end;
        Refusal wrong = tooLong(bytes);
        return wrong == null ? NONE : refuse(wrong);
    }

    /// Acts on one whole line, behind which CR LF stand.
    private int checked(ByteBuffer buffer, int from, int to) {
        Refusal wrong = tooLong(to - from + 2);
        sectionBytes += to - from + 2;
        if (wrong == null) {
            wrong = switch (phase) {
                case REQUEST_LINE -> requestLine(buffer, from, to);
                case HEADERS -> from == to ? headEnd(to + 2) : headerLine(buffer, from, to);
                case CHUNK_LINE -> chunkLine(buffer, from, to);
                case TRAILERS -> from == to ? trailersEnd() : trailerLine(buffer, from, to);
                case CONTENT, CHUNK_DATA, CHUNK_END -> throw new IllegalStateException();
            };
        }
        return wrong == null ? to + 2 : refuse(wrong);
    }

    private @Nullable Refusal tooLong(int bytes) {
        return switch (phase) {
            case REQUEST_LINE -> bytes > limits.requestLineBytes() ? Refusal.REQUEST_LINE_TOO_LONG : null;
            case CHUNK_LINE -> bytes > WireLimits.CHUNK_LINE_BYTES ? Refusal.CHUNK_EXTENSION : null;
            default -> sectionBytes + bytes > limits.headBytes() ? Refusal.HEAD_TOO_LARGE : null;
        };
    }

    private @Nullable Refusal requestLine(ByteBuffer buffer, int from, int to) {
        head.reset();
        phase = Phase.HEADERS;
        return head.requestLine(buffer, from, to);
    }

    private @Nullable Refusal headerLine(ByteBuffer buffer, int from, int to) {
        longestLine = Math.max(longestLine, to - from);
        return ++sectionLines > limits.headers() ? Refusal.TOO_MANY_HEADERS : head.headerLine(buffer, begin, from, to);
    }

    private @Nullable Refusal trailerLine(ByteBuffer buffer, int from, int to) {
        return ++sectionLines > limits.headers() ? Refusal.TOO_MANY_HEADERS : TrailerLine.wrong(buffer, from, to);
    }

    private @Nullable Refusal headEnd(int next) {
        Refusal wrong = head.end();
        if (wrong != null) return wrong;
        headEnd = next;
        fieldBytes = sectionBytes;
        fieldLines = sectionLines;
        if (head.chunked()) {
            startSection(Phase.CHUNK_LINE);
        } else if (head.contentLength() > 0) {
            phase = Phase.CONTENT;
            remaining = head.contentLength();
        } else {
            messageEnd();
        }
        return null;
    }

    private @Nullable Refusal chunkLine(ByteBuffer buffer, int from, int to) {
        Refusal wrong = ChunkLine.wrong(buffer, from, to);
        if (wrong != null) return wrong;
        remaining = ChunkLine.size(buffer, from, to);
        if (remaining == 0) startSection(Phase.TRAILERS);
        else phase = Phase.CHUNK_DATA;
        return null;
    }

    private @Nullable Refusal trailersEnd() {
        fieldBytes += sectionBytes;
        fieldLines += sectionLines;
        messageEnd();
        return null;
    }

    private void messageEnd() {
        startSection(Phase.REQUEST_LINE);
        over = true;
        skipped = false;
    }

    private void startSection(Phase next) {
        phase = next;
        sectionBytes = 0;
        sectionLines = 0;
    }

    private int refuse(Refusal wrong) {
        refusal = wrong;
        return NONE;
    }
}
