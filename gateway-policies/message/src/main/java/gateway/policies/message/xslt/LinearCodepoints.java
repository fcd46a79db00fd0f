package gateway.policies.message.xslt;

import net.sf.saxon.expr.sort.AtomicMatchKey;
import net.sf.saxon.expr.sort.CodepointCollator;
import net.sf.saxon.lib.StringCollator;
import net.sf.saxon.lib.SubstringMatcher;
import net.sf.saxon.str.EmptyUnicodeString;
import net.sf.saxon.str.UnicodeString;

/// Texts compared by their code points, and looked for within each other in time linear in both (Knuth, Morris and
/// Pratt, 1977): Saxon begins anew at each place, which takes minutes for two texts of a caller's.
/// No subclass of Saxon's, which it would pass over.
final class LinearCodepoints implements StringCollator, SubstringMatcher {
    private static final CodepointCollator CODEPOINTS = CodepointCollator.getInstance();
    private static final int SHORT = 64; // code points, below which its way is at most so many times as long

    @Override
    public String getCollationURI() {
        return CODEPOINTS.getCollationURI();
    }

    @Override
    public int compareStrings(UnicodeString one, UnicodeString other) {
        look();
        return CODEPOINTS.compareStrings(one, other);
    }

    @Override
    public boolean comparesEqual(UnicodeString one, UnicodeString other) {
        look();
        return CODEPOINTS.comparesEqual(one, other);
    }

    /// At the clock: `//a = //b` compares each with each.
    private static void look() {
        if (TransformBudget.CURRENT.isBound()) TransformBudget.CURRENT.get().step();
    }

    @Override
    public AtomicMatchKey getCollationKey(UnicodeString text) {
        return CODEPOINTS.getCollationKey(text);
    }

    @Override
    public boolean isEqualToEmpty(UnicodeString text) {
        return CODEPOINTS.isEqualToEmpty(text);
    }

    @Override
    public boolean startsWith(UnicodeString text, UnicodeString part) {
        return CODEPOINTS.startsWith(text, part);
    }

    @Override
    public boolean endsWith(UnicodeString text, UnicodeString part) {
        return CODEPOINTS.endsWith(text, part);
    }

    @Override
    public boolean contains(UnicodeString text, UnicodeString part) {
        return find(text, part) >= 0;
    }

    @Override
    public UnicodeString substringBefore(UnicodeString text, UnicodeString part) {
        long at = find(text, part);
        return at < 0 ? EmptyUnicodeString.getInstance() : text.prefix(at);
    }

    @Override
    public UnicodeString substringAfter(UnicodeString text, UnicodeString part) {
        long at = find(text, part);
        return at < 0 ? EmptyUnicodeString.getInstance() : text.substring(at + part.length());
    }

    /// Where the part begins first; -1: nowhere.
    private static long find(UnicodeString text, UnicodeString part) {
        if (part.length() > text.length()) return -1;
        if (part.length() < SHORT) return text.indexOf(part, 0);
        int[] borders = borders(part);
        int matched = 0;
        for (long at = 0; at < text.length(); at++) {
            matched = next(part, borders, matched, text.codePointAt(at));
            if (matched == borders.length) return at + 1 - matched;
        }
        return -1;
    }

    /// Of each beginning of the part, how long the longest shorter one is with which it ends.
    private static int[] borders(UnicodeString part) {
        var borders = new int[part.length32()];
        int border = 0;
        for (int i = 1; i < borders.length; i++) {
            border = next(part, borders, border, part.codePointAt(i));
            borders[i] = border;
        }
        return borders;
    }

    /// How much of the part is matched with one code point more.
    private static int next(UnicodeString part, int[] borders, int matched, int codePoint) {
        int length = matched;
        while (length > 0 && part.codePointAt(length) != codePoint) length = borders[length - 1];
        return part.codePointAt(length) == codePoint ? length + 1 : length;
    }
}
