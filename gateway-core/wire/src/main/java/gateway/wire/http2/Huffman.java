package gateway.wire.http2;

/// Writes text in the code of RFC 7541 Appendix B. The code is canonical, so that the lengths of its words tell the
/// words: they are numbered by length, and by octet among those of the same length.
final class Huffman {
    private static final int LONGEST = 30;
    private static final byte[] LENGTHS = { // by octet, in bits
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
        6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22,
        20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23,
        23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
        22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26,
        27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27,
        26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    };
    private static final int[] WORDS = words();

    private Huffman() {}

    private static int[] words() {
        var words = new int[LENGTHS.length];
        int next = 0;
        for (int length = 1; length <= LONGEST; length++, next <<= 1) {
            for (int octet = 0; octet < words.length; octet++) {
                if (LENGTHS[octet] == length) words[octet] = next++;
            }
        }
        return words;
    }

    /// Bytes that `text`, in Latin-1, takes.
    static int length(String text) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) bits += LENGTHS[text.charAt(i) & 0xff];
        return (bits + 7) >>> 3;
    }

    /// Puts the [#length] bytes of `text` into `to` from `at`.
    static void put(String text, byte[] to, int at) {
        long bits = 0; // the lower ones wait to be put
        int waiting = 0;
        int end = at;
        for (int i = 0; i < text.length(); i++) {
            int octet = text.charAt(i) & 0xff;
            int length = LENGTHS[octet];
            bits = bits << length | WORDS[octet];
            for (waiting += length; waiting >= 8; waiting -= 8) to[end++] = (byte) (bits >>> (waiting - 8));
        }
        if (waiting > 0) to[end] = (byte) (bits << (8 - waiting) | 0xff >>> waiting); // filled up with ones, §5.2
    }
}
