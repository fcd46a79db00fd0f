package gateway.regex;

import java.util.stream.IntStream;

/// What RE2/J does with characters whose case does not matter: it goes from each to the next that differs from it in
/// case alone, until it is back.
final class CaseFolding {
    private static final int FIRST = 'A';
    private static final int LAST = 0x1044f; // RE2/J folds nothing past it

    /// Characters that Java's rules do not come back to, though RE2/J does: it has a table of them.
    private static final String IN_TABLE = "\u00b5\u0130\u0131\u017f\u01c5\u01c8\u01cb\u01f2\u0345\u03c2\u03d0\u03d1"
            + "\u03d5\u03d6\u03f0\u03f1\u03f4\u03f5\u1e9b\u1e9e\u1fbe\u2126\u212a\u212b";

    /// Characters that RE2/J 1.8 never comes back to, since Java learned their upper case after its table was made:
    /// a compilation that meets one does not end.
    private static final int[] ENDLESS = IntStream.rangeClosed(FIRST, LAST)
            .filter(character -> IN_TABLE.indexOf(character) < 0 && next(next(character)) != character)
            .toArray();

    private CaseFolding() {}

    /// How many characters of a range are folded one at a time.
    static int folded(int from, int to) {
        if (from <= FIRST && to >= LAST) return 0;
        return Math.max(0, Math.min(to, LAST) - Math.max(from, FIRST) + 1);
    }

    /// Whether folding a range does not end.
    static boolean isEndless(int from, int to) {
        if (folded(from, to) == 0) return false;
        for (int character : ENDLESS) {
            if (from <= character && character <= to) return true;
        }
        return false;
    }

    private static int next(int character) {
        int lower = Character.toLowerCase(character);
        return lower == character ? Character.toUpperCase(character) : lower;
    }
}
