package gateway.wire.http1;

import java.nio.ByteBuffer;

/// What may stand in a `Host` field or in the authority of a request target: a name or address with an optional
/// port, never user information (RFC 9110 §7.2, §4.2.4; stricter than RFC 3986: no percent-escapes, no
/// sub-delimiters, no empty label but the last, no port 0, no IPv4 address at the end of one of IPv6; the last two
/// since Undertow refuses them too, without a word).
public final class Authority {
    private Authority() {}

    public static boolean isValid(ByteBuffer text, int from, int to) {
        int end = from < to && text.get(from) == '[' ? afterBrackets(text, from, to) : afterName(text, from, to);
        if (end <= from) return false;
        return end == to || (text.get(end) == ':' && isPort(text, end + 1, to));
    }

    /// Whether two authorities in `text` are the same, letters without regard to case.
    static boolean same(ByteBuffer text, int from, int to, int otherFrom, int otherTo) {
        if (to - from != otherTo - otherFrom) return false;
        for (int i = 0; i < to - from; i++) {
            if (Octets.lowerCase(text.get(from + i)) != Octets.lowerCase(text.get(otherFrom + i))) return false;
        }
        return true;
    }

    private static int afterName(ByteBuffer text, int from, int to) {
        int end = Octets.skip(Octets.HOST, text, from, to);
        boolean empty = true;
        for (int at = from; at < end; at++) {
            boolean dot = text.get(at) == '.';
            if (dot && empty) return -1;
            empty = dot;
        }
        return end;
    }

    /// Eight groups of hexadecimal digits, or fewer and `::` once (RFC 4291 §2.2).
    private static int afterBrackets(ByteBuffer text, int from, int to) {
        int groups = 0;
        boolean shortened = false;
        boolean separated = true;
        int at = from + 1;
        while (at < to && text.get(at) != ']') {
            if (text.get(at) == ':' && at + 1 < to && text.get(at + 1) == ':' && !shortened) {
                shortened = true;
                separated = true;
                at += 2;
                continue;
            }
            if (!separated && text.get(at++) != ':') return -1;
            int end = at;
            while (end < to && end - at < 4 && Octets.hexDigit(text.get(end)) >= 0) end++;
            if (end == at) return -1;
            at = end;
            separated = false;
            groups++;
        }
        boolean whole = shortened ? groups < 8 : groups == 8;
        return whole && at < to ? at + 1 : -1;
    }

    private static boolean isPort(ByteBuffer text, int from, int to) {
        if (to == from || to - from > 5 || Octets.skip(Octets.DIGIT, text, from, to) != to) return false;
        int port = 0;
        for (int i = from; i < to; i++) port = port * 10 + text.get(i) - '0';
        return port > 0 && port <= 65535;
    }
}
