package gateway.http;

import java.io.IOException;
import java.util.List;

/// RFC 1952. Unlike the JDK's streams it takes nothing behind the last member but refuses it: a server that
/// reads on would see what no policy has seen.
final class GzipCoding implements ContentCoding {
    private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8};
    private static final int HEADER = 10;
    private static final int TRAILER = 8;
    private static final int HEADER_SUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    @Override
    public List<String> names() {
        return List.of("gzip", "x-gzip");
    }

    @Override
    public void undo(byte[] coded, PlainBytes plain) throws IOException {
        try (var inflation = new Inflation(coded, plain, true)) {
            int at = 0;
            do at = member(coded, at, inflation);
            while (at < coded.length);
        }
    }

    private static int member(byte[] coded, int start, Inflation inflation) throws IOException {
        int at = inflation.undo(content(coded, start));
        require(coded, at, TRAILER);
        if (number(coded, at) != inflation.sum()) throw new IOException("its check sum is another");
        if (number(coded, at + 4) != inflation.size()) throw new IOException("its length is another");
        return at + TRAILER;
    }

    /// Where the content of a member begins.
    private static int content(byte[] coded, int start) throws IOException {
        if (!begins(coded, start))
            throw new IOException(start == 0 ? "it does not begin as gzip" : "something stands behind its end");
        require(coded, start, HEADER);
        int flags = octet(coded, start + 3);
        if ((flags & RESERVED) != 0) throw new IOException("reserved flags are set");
        int at = start + HEADER;
        if ((flags & EXTRA) != 0) {
            require(coded, at, 2);
            at += 2 + octet(coded, at) + (octet(coded, at + 1) << 8);
        }
        if ((flags & NAME) != 0) at = behindZero(coded, at);
        if ((flags & COMMENT) != 0) at = behindZero(coded, at);
        if ((flags & HEADER_SUM) != 0) at += HEADER_SUM;
        require(coded, at, 0);
        return at;
    }

    /// Whether what there is of the first octets is that of a member.
    private static boolean begins(byte[] coded, int start) {
        for (int i = 0; i < MAGIC.length && start + i < coded.length; i++) {
            if (coded[start + i] != MAGIC[i]) return false;
        }
        return true;
    }

    private static int behindZero(byte[] coded, int start) throws IOException {
        for (int at = start; at < coded.length; at++) if (coded[at] == 0) return at + 1;
        throw new IOException("it is cut off");
    }

    private static void require(byte[] coded, int at, int count) throws IOException {
        if (coded.length - at < count) throw new IOException("it is cut off");
    }

    private static long number(byte[] coded, int at) {
        return octet(coded, at)
                | octet(coded, at + 1) << 8
                | octet(coded, at + 2) << 16
                | (long) octet(coded, at + 3) << 24;
    }

    private static int octet(byte[] coded, int at) {
        return coded[at] & 0xff;
    }
}
