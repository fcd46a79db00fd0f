package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A field line after the last chunk. Fields that frame, route or authenticate a message, or change how its body is
/// read, are refused (RFC 9110 §6.5.1): a recipient that merges trailers into the head would act on them unchecked.
public final class TrailerLine {
    private static final byte[][] FORBIDDEN = names(
            "transfer-encoding",
            "content-length",
            "host",
            "authorization",
            "proxy-authorization",
            "proxy-authenticate",
            "www-authenticate",
            "connection",
            "keep-alive",
            "proxy-connection",
            "upgrade",
            "http2-settings",
            "te",
            "trailer",
            "expect",
            "cookie",
            "set-cookie",
            "content-type",
            "content-encoding",
            "content-range",
            "range",
            "cache-control",
            "max-forwards",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "age",
            "expires",
            "date",
            "location",
            "retry-after",
            "vary",
            "warning",
            "via",
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto",
            "x-real-ip",
            "x-request-id",
            "traceparent",
            "tracestate");

    private TrailerLine() {}

    static @Nullable Refusal wrong(ByteBuffer line, int from, int to) {
        if (Octets.isBlank(line.get(from))) return Refusal.FOLDED_LINE;
        int colon = Octets.skip(Octets.TOKEN, line, from, to);
        if (colon == from || colon == to || line.get(colon) != ':') return Refusal.FIELD_NAME;
        for (byte[] name : FORBIDDEN) {
            if (name.length == colon - from && Octets.same(line, from, name)) return Refusal.TRAILER;
        }
        return null;
    }

    /// @param name in lower case
    public static boolean isForbidden(String name) {
        byte[] octets = name.getBytes(US_ASCII);
        for (byte[] each : FORBIDDEN) {
            if (Arrays.equals(each, octets)) return true;
        }
        return false;
    }

    private static byte[][] names(String... names) {
        byte[][] octets = new byte[names.length][];
        for (int i = 0; i < names.length; i++) octets[i] = names[i].getBytes(US_ASCII);
        return octets;
    }
}
