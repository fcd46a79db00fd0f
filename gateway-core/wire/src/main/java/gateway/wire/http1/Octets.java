package gateway.wire.http1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Looks at octets in place: what class each is of, and where the next control octet stands, eight at a time.
public final class Octets {
    public static final int TOKEN = 1; // RFC 9110 §5.6.2
    public static final int TARGET = 2; // visible US-ASCII but '#'
    static final int HOST = 4; // letters, digits and -._~
    public static final int DIGIT = 8;
    static final int QUOTED = 16; // qdtext of RFC 9110 §5.6.4, without tab and obs-text
    public static final int METHOD = 32; // a token without letters in lower case

    private static final byte[] CLASSES = classes();
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long SPACES = 0x2020202020202020L;
    private static final long VISIBLE = 0x2121212121212121L;
    private static final long HASHES = 0x2323232323232323L;
    private static final long DELETES = 0x7f7f7f7f7f7f7f7fL;

    private Octets() {}

    public static boolean is(int octetClass, byte octet) {
        return (CLASSES[octet & 0xff] & octetClass) != 0;
    }

    /// The index in `from` to `to` of the first octet below space, other than tab, or of DEL; `to` when there is
    /// none.
    static int firstControl(ByteBuffer buffer, int from, int to) {
        boolean reversed = buffer.order() == ByteOrder.BIG_ENDIAN;
        int at = from;
        while (at + 8 <= to) {
            long word = buffer.getLong(at);
            long found = controls(reversed ? Long.reverseBytes(word) : word);
            if (found == 0) {
                at += 8;
                continue;
            }
            at += Long.numberOfTrailingZeros(found) >>> 3; // exact for the first: borrows only reach later octets
            if (buffer.get(at) != '\t') return at;
            at++;
        }
        while (at < to && !isControl(buffer.get(at))) at++;
        return at;
    }

    /// The index in `from` to `to`, where no DEL stands, of the first octet that may not stand in a request target;
    /// `to` when all may.
    static int targetEnd(ByteBuffer buffer, int from, int to) {
        boolean reversed = buffer.order() == ByteOrder.BIG_ENDIAN;
        int at = from;
        while (at + 8 <= to) {
            long next = buffer.getLong(at);
            long word = reversed ? Long.reverseBytes(next) : next;
            long hash = word ^ HASHES;
            long found = (((word - VISIBLE) & ~word) | word | ((hash - ONES) & ~hash)) & HIGHS;
            if (found != 0) return at + (Long.numberOfTrailingZeros(found) >>> 3);
            at += 8;
        }
        return skip(TARGET, buffer, at, to);
    }

    /// The index in `from` to `to` of the first octet that is not of the class; `to` when all are.
    public static int skip(int octetClass, ByteBuffer buffer, int from, int to) {
        int at = from;
        while (at < to && is(octetClass, buffer.get(at))) at++;
        return at;
    }

    /// Whether the octets from `from` on are `lower`, letters without regard to case.
    static boolean same(ByteBuffer buffer, int from, byte[] lower) {
        for (int i = 0; i < lower.length; i++) {
            if (lowerCase(buffer.get(from + i)) != lower[i]) return false;
        }
        return true;
    }

    static byte lowerCase(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? (byte) (octet | 0x20) : octet;
    }

    /// The value of a hexadecimal digit, or -1.
    static int hexDigit(byte octet) {
        if (octet >= '0' && octet <= '9') return octet - '0';
        int lower = octet | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /// The first octet from `from` on that is neither space nor tab.
    static int afterBlanks(ByteBuffer buffer, int from, int to) {
        int at = from;
        while (at < to && isBlank(buffer.get(at))) at++;
        return at;
    }

    /// The end of the octets before `to` without the spaces and tabs at their end.
    static int beforeBlanks(ByteBuffer buffer, int from, int to) {
        int at = to;
        while (at > from && isBlank(buffer.get(at - 1))) at--;
        return at;
    }

    static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    /// Marks, lowest first, the octets of a word that are below space or DEL. Method: S. E. Anderson, "Bit
    /// Twiddling Hacks", determine if a word has a byte less than n.
    private static long controls(long word) {
        long low = (word - SPACES) & ~word & HIGHS;
        long different = word ^ DELETES;
        return low | ((different - ONES) & ~different & HIGHS);
    }

    private static boolean isControl(byte octet) {
        return (octet >= 0 && octet < ' ' && octet != '\t') || octet == 0x7f;
    }

    private static byte[] classes() {
        byte[] classes = new byte[256];
        mark(classes, TOKEN, '!', '~', "\"(),/:;<=>?@[\\]{}");
        mark(classes, METHOD, '!', '~', "\"(),/:;<=>?@[\\]{}abcdefghijklmnopqrstuvwxyz");
        mark(classes, TARGET, '!', '~', "#");
        mark(classes, HOST, '-', 'z', "/:;<=>?@[\\]^`");
        classes['~'] |= HOST;
        mark(classes, DIGIT, '0', '9', "");
        mark(classes, QUOTED, ' ', '~', "\"\\");
        return classes;
    }

    private static void mark(byte[] classes, int octetClass, char first, char last, String without) {
        for (char c = first; c <= last; c++) {
            if (without.indexOf(c) < 0) classes[c] |= (byte) octetClass;
        }
    }
}
