package gateway.app.proxy;

import gateway.wire.io.HeadWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/// Makes request ids and W3C trace context (<https://www.w3.org/TR/trace-context/>). A request id made here is
/// the trace id too: 32 lower-case hexadecimal digits.
final class RequestIds {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
    private static final int LONGEST_BELIEVED = 128;

    private RequestIds() {}

    static String next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] text = new byte[32];
        hex(text, 0, random.nextLong());
        hex(text, 16, random.nextLong() | 1); // never all zeros
        return latin(text);
    }

    /// The same, put together in `scratch`.
    static String next(HeadWriter scratch) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return scratch.clear().hex(random.nextLong()).hex(random.nextLong() | 1).text();
    }

    /// A new trace that begins here.
    static String traceparent(String traceId, boolean sampled, HeadWriter scratch) {
        return span(scratch.clear().put("00-").put(traceId))
                .put(sampled ? "01" : "00")
                .text();
    }

    /// The trace of `parent` with this hop as its latest span.
    static String continued(String parent, HeadWriter scratch) {
        return span(scratch.clear().put(parent, 0, 35)).put(parent, 53, 55).text();
    }

    private static HeadWriter span(HeadWriter to) {
        return to.put('-').hex(ThreadLocalRandom.current().nextLong() | 1).put('-');
    }

    static boolean isTraceparent(String text) {
        if (text.length() != 55 || !text.startsWith("00-") || text.charAt(35) != '-' || text.charAt(52) != '-')
            return false;
        return isHex(text, 3, 35) && isHex(text, 36, 52) && isHex(text, 53, 55) && !isZero(text, 3, 35);
    }

    /// Whether `text`, sent by a trusted proxy, may serve as request id.
    static boolean isRequestId(String text) {
        if (text.isEmpty() || text.length() > LONGEST_BELIEVED) return false;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') return false;
        }
        return true;
    }

    static boolean isTraceId(String text) {
        return text.length() == 32 && isHex(text, 0, 32) && !isZero(text, 0, 32);
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) return false;
        }
        return true;
    }

    private static boolean isZero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') return false;
        }
        return true;
    }

    private static void hex(byte[] text, int at, long bits) {
        for (int i = 0; i < 16; i++) text[at + i] = DIGITS[(int) (bits >>> (60 - 4 * i)) & 15];
    }

    private static String latin(byte[] text) {
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
