package gateway.app.traffic;

/// DEFLATE's fixed codes (RFC 1951 §3.2.5 and §3.2.6) as tables, bits in the order they are written. A code's entry is
/// its bits, extra bits included, shifted left by 8, and their number.
final class FixedCodes {
    private static final int[] LENGTH_BASE = {
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258
    };
    private static final int[] LENGTH_EXTRA = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
    };

    /// By byte.
    static final int[] LITERALS = literals();

    /// By length, 3 to 258.
    static final int[] LENGTHS = lengths();

    private FixedCodes() {}

    /// The symbol of a distance from 1 to 32768: two for each power of two.
    static int distanceSymbol(int distance) {
        int d = distance - 1;
        if (d < 4) return d;
        int high = 31 - Integer.numberOfLeadingZeros(d);
        return 2 * high + ((d >>> (high - 1)) & 1);
    }

    static int extraBits(int distanceSymbol) {
        return distanceSymbol < 4 ? 0 : (distanceSymbol >> 1) - 1;
    }

    /// Symbol and extra bits of a distance, in writing order; they are `5 + extraBits(symbol)`.
    static int distance(int symbol, int distance) {
        int extra = (distance - 1) & ((1 << extraBits(symbol)) - 1);
        return (Integer.reverse(symbol) >>> 27) | (extra << 5);
    }

    private static int[] literals() {
        var table = new int[256];
        for (int i = 0; i < 256; i++) table[i] = i < 144 ? entry(0x30 + i, 8) : entry(0x190 + i - 144, 9);
        return table;
    }

    private static int[] lengths() {
        var table = new int[259];
        for (int symbol = 0; symbol < LENGTH_BASE.length; symbol++) {
            int code = symbol < 23 ? entry(symbol + 1, 7) : entry(0xc0 + symbol - 23, 8);
            for (int extra = 0; extra < 1 << LENGTH_EXTRA[symbol]; extra++) {
                int length = LENGTH_BASE[symbol] + extra;
                if (length > 258) continue;
                int bits = (code >>> 8) | (extra << (code & 255));
                table[length] = (bits << 8) | ((code & 255) + LENGTH_EXTRA[symbol]);
            }
        }
        return table;
    }

    private static int entry(int code, int count) {
        return ((Integer.reverse(code) >>> (32 - count)) << 8) | count;
    }
}
