package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What the lines of one request head have told so far; checks each line where it lies. One for each connection,
/// reused. Every check answers what is wrong, or null.
///
/// The lines of a head lie one behind the other: places in it are counted from the first octet of its request line.
final class ScannedHead {
    private static final byte[] HTTP = "http/".getBytes(US_ASCII);
    private static final byte[] CONNECT = "connect".getBytes(US_ASCII);
    private static final byte[] OPTIONS = "options".getBytes(US_ASCII);
    private static final byte[] HTTP_SCHEME = "http://".getBytes(US_ASCII);
    private static final byte[] HTTPS_SCHEME = "https://".getBytes(US_ASCII);
    private static final byte[] HOST = "host".getBytes(US_ASCII);
    private static final byte[] CONTENT_LENGTH = "content-length".getBytes(US_ASCII);
    private static final byte[] TRANSFER_ENCODING = "transfer-encoding".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "chunked".getBytes(US_ASCII);
    private static final int MAX_METHOD = 32; // Undertow's own limit
    private static final int MAX_LENGTH_DIGITS = 18;

    private boolean version10;
    private boolean later;
    private int targetFrom;
    private int targetTo;
    private int authorityFrom; // of a target in absolute form; of others it is empty
    private int authorityTo;
    private boolean ofServer;
    private boolean host;
    private long contentLength;
    private boolean chunked;

    ScannedHead() {
        reset();
    }

    void reset() {
        version10 = false;
        authorityFrom = 0;
        authorityTo = 0;
        ofServer = false;
        host = false;
        contentLength = -1;
        chunked = false;
    }

    /// Bytes of the body as declared; 0 when none is.
    long contentLength() {
        return Math.max(contentLength, 0);
    }

    boolean chunked() {
        return chunked;
    }

    /// Whether it is of a version of HTTP/1 behind 1.1.
    boolean isLater() {
        return later;
    }

    /// Whether it asks what the server can do, in absolute form: `OPTIONS` of a URL without path and query (RFC 9112
    /// §3.2.4).
    boolean isOfServer() {
        return ofServer;
    }

    /// Where the target begins.
    int targetFrom() {
        return targetFrom;
    }

    /// Where the target ends.
    int targetTo() {
        return targetTo;
    }

    /// `method SP target SP version`, RFC 9112 §3.
    @Nullable
    Refusal requestLine(ByteBuffer line, int from, int to) {
        int method = Octets.skip(Octets.METHOD, line, from, to);
        if (method < to && Octets.is(Octets.TOKEN, line.get(method))) return Refusal.METHOD;
        if (method == from || method - from > MAX_METHOD || method == to || line.get(method) != ' ') {
            return Refusal.REQUEST_LINE;
        }
        int target = Octets.targetEnd(line, method + 1, to);
        if (target == to || line.get(target) != ' ') return target == to ? Refusal.REQUEST_LINE : Refusal.TARGET;
        targetFrom = method + 1 - from;
        targetTo = target - from;
        Refusal wrong = version(line, target + 1, to);
        return wrong != null ? wrong : target(line, from, method, target);
    }

    /// `name ":" value`, RFC 9112 §5; the value is known to hold no control octet.
    ///
    /// @param head where the request line begins
    @Nullable
    Refusal headerLine(ByteBuffer line, int head, int from, int to) {
        if (Octets.isBlank(line.get(from))) return Refusal.FOLDED_LINE;
        int colon = Octets.skip(Octets.TOKEN, line, from, to);
        if (colon == from || colon == to || line.get(colon) != ':') return Refusal.FIELD_NAME;
        return switch (colon - from) {
            case 4 -> Octets.same(line, from, HOST) ? host(line, head, colon + 1, to) : null;
            case 14 -> Octets.same(line, from, CONTENT_LENGTH) ? contentLength(line, colon + 1, to) : null;
            case 17 -> Octets.same(line, from, TRANSFER_ENCODING) ? transferEncoding(line, colon + 1, to) : null;
            default -> null;
        };
    }

    /// What the whole head must hold.
    @Nullable
    Refusal end() {
        if (!host && !version10) return Refusal.HOST_MISSING;
        return chunked && contentLength >= 0 ? Refusal.BOTH_FRAMINGS : null;
    }

    private @Nullable Refusal version(ByteBuffer line, int from, int to) {
        if (to - from != 8 || !isUpperHttp(line, from)) return Refusal.REQUEST_LINE;
        byte major = line.get(from + 5);
        byte minor = line.get(from + 7);
        if (!Octets.is(Octets.DIGIT, major) || line.get(from + 6) != '.' || !Octets.is(Octets.DIGIT, minor)) {
            return Refusal.REQUEST_LINE;
        }
        if (major != '1') return Refusal.VERSION;
        version10 = minor == '0';
        later = minor > '1';
        return null;
    }

    private static boolean isUpperHttp(ByteBuffer line, int from) {
        return line.get(from) == 'H'
                && line.get(from + 1) == 'T'
                && Octets.same(line, from, HTTP)
                && line.get(from + 2) == 'T'
                && line.get(from + 3) == 'P';
    }

    /// Origin form, absolute form, or `*` for OPTIONS (RFC 9112 §3.2).
    private @Nullable Refusal target(ByteBuffer line, int start, int methodEnd, int end) {
        int from = methodEnd + 1;
        if (is(CONNECT, line, start, methodEnd)) return Refusal.CONNECT;
        if (from == end) return Refusal.REQUEST_LINE;
        byte first = line.get(from);
        if (first == '/') return null;
        if (first == '*') {
            return end - from == 1 && is(OPTIONS, line, start, methodEnd) ? null : Refusal.TARGET;
        }
        int host = afterScheme(line, from, end);
        if (host < 0) return Refusal.TARGET;
        int hostEnd = host;
        while (hostEnd < end && line.get(hostEnd) != '/' && line.get(hostEnd) != '?') hostEnd++;
        if (!Authority.isValid(line, host, hostEnd)) return Refusal.TARGET;
        authorityFrom = host - start;
        authorityTo = hostEnd - start;
        ofServer = hostEnd == end && is(OPTIONS, line, start, methodEnd);
        return null;
    }

    private static boolean is(byte[] lower, ByteBuffer line, int from, int to) {
        return to - from == lower.length && Octets.same(line, from, lower);
    }

    private static int afterScheme(ByteBuffer line, int from, int end) {
        if (end - from > 7 && Octets.same(line, from, HTTP_SCHEME)) return from + 7;
        return end - from > 8 && Octets.same(line, from, HTTPS_SCHEME) ? from + 8 : -1;
    }

    private @Nullable Refusal host(ByteBuffer line, int head, int valueFrom, int valueTo) {
        if (host) return Refusal.HOST_TWICE;
        host = true;
        int from = Octets.afterBlanks(line, valueFrom, valueTo);
        int to = Octets.beforeBlanks(line, from, valueTo);
        if (!Authority.isValid(line, from, to)) return Refusal.HOST;
        if (authorityFrom == authorityTo) return null;
        boolean same = Authority.same(line, head + authorityFrom, head + authorityTo, from, to);
        return same ? null : Refusal.HOST_DIFFERS;
    }

    private @Nullable Refusal contentLength(ByteBuffer line, int valueFrom, int valueTo) {
        int from = Octets.afterBlanks(line, valueFrom, valueTo);
        int to = Octets.beforeBlanks(line, from, valueTo);
        boolean number = to > from && to - from <= MAX_LENGTH_DIGITS && Octets.skip(Octets.DIGIT, line, from, to) == to;
        if (contentLength >= 0 || !number) return Refusal.CONTENT_LENGTH;
        contentLength = 0;
        for (int i = from; i < to; i++) contentLength = contentLength * 10 + line.get(i) - '0';
        return null;
    }

    private @Nullable Refusal transferEncoding(ByteBuffer line, int valueFrom, int valueTo) {
        int from = Octets.afterBlanks(line, valueFrom, valueTo);
        int to = Octets.beforeBlanks(line, from, valueTo);
        if (chunked || version10 || !is(CHUNKED, line, from, to)) return Refusal.TRANSFER_ENCODING;
        chunked = true;
        return null;
    }
}
