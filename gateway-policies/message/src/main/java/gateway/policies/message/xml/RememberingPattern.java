package gateway.policies.message.xml;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/// Writes a regular expression of XML Schema (XSD 1.0, appendix F) so that the JDK's matcher looks at no place twice.
///
/// That one tries all ways through what may be left out, repeated a counted number of times, or one of several, which
/// are too many to count for `([a-z]{1,20}-?){1,20}`; at `*` alone it remembers where it was, and does not go on from
/// there once more. So `()*`, which matches nothing, is put before such pieces: as nothing is captured, what failed
/// from
/// a place fails again, and the verdict stays what it was.
final class RememberingPattern {
    /// Characters, classes and the like, once all that is counted is written out, as the matcher does.
    static final long MOST_PIECES = 5_000;

    static final int LONGEST = 10_000; // characters: long classes are sorted one by one

    private static final String MARK = "()*";
    private static final long MOST_WITH_ONE_WAY = 100_000;
    private static final long LARGEST = 1_000_000_000;

    private final String pattern;
    private final StringBuilder written;
    private int choices;
    private boolean repeatsGroups;
    private int at;
    private final Deque<Long> around = new ArrayDeque<>(); // pieces so far of the groups that are open
    private long pieces;
    private long last; // pieces of what a quantifier would repeat

    private RememberingPattern(String pattern) {
        this.pattern = pattern;
        this.written = new StringBuilder(pattern.length() * 2);
    }

    /// The same expression, with marks where it has more ways than one.
    ///
    /// @param pattern one that is valid
    static String of(String pattern) {
        var remembering = new RememberingPattern(pattern);
        remembering.write();
        return remembering.hasWays() ? remembering.written.toString() : pattern;
    }

    /// Whether the matcher would need too much memory for it, or time for a text of usual length.
    static boolean isTooLarge(String pattern) {
        if (pattern.length() > LONGEST) return true;
        var remembering = new RememberingPattern(pattern);
        remembering.write();
        return remembering.pieces > (remembering.hasWays() ? MOST_PIECES : MOST_WITH_ONE_WAY);
    }

    private boolean hasWays() {
        return choices > 1 || (choices > 0 && repeatsGroups);
    }

    private void write() {
        written.append(MARK);
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            switch (c) {
                case '(' -> {
                    if (isCounted(groupEnd())) written.append(MARK);
                    written.append(c).append(MARK);
                    at++;
                    around.push(pieces);
                    pieces = 0;
                }
                case '|' -> {
                    choices++;
                    written.append(c).append(MARK);
                    at++;
                }
                case ')' -> {
                    written.append(c);
                    at++;
                    repeatsGroups |= isQuantified(at);
                    last = pieces + 1;
                    pieces = sum(around.isEmpty() ? 0 : around.pop(), last);
                }
                case '?', '*', '+', '{' -> quantifier();
                default -> atom(atomEnd(at));
            }
        }
    }

    private void quantifier() {
        int end = pattern.charAt(at) == '{' ? behind('}') : at + 1;
        String text = pattern.substring(at, end);
        if (text.equals("?") || text.contains(",")) choices++;
        pieces = sum(pieces, last * (times(text) - 1));
        written.append(text);
        at = end;
    }

    /// Behind the next one; behind all where there is none, which the compiler refuses.
    private int behind(char c) {
        int place = pattern.indexOf(c, at);
        return place < 0 ? pattern.length() : place + 1;
    }

    private static long sum(long one, long other) {
        return Math.min(one + other, LARGEST);
    }

    /// How often the matcher has what is repeated written out.
    private static long times(String quantifier) {
        if (!quantifier.startsWith("{")) return 1;
        String counts = quantifier.substring(1, quantifier.length() - 1);
        int comma = counts.indexOf(',');
        boolean hasNoMost = comma == counts.length() - 1 && comma > 0;
        return hasNoMost ? number(counts.substring(0, comma)) + 1 : number(counts.substring(comma + 1));
    }

    private static long number(String digits) {
        boolean isShort = digits.matches("[0-9]{1,9}");
        return isShort ? Math.max(1, Long.parseLong(digits)) : LARGEST;
    }

    private void atom(int end) {
        if (isCounted(end)) written.append(MARK);
        written.append(pattern, at, end);
        at = end;
        last = 1;
        pieces = sum(pieces, 1);
    }

    private boolean isQuantified(int place) {
        return place < pattern.length() && "?*+{".indexOf(pattern.charAt(place)) >= 0;
    }

    private boolean isCounted(int place) {
        return place < pattern.length() && "?{".indexOf(pattern.charAt(place)) >= 0;
    }

    /// Behind the group that begins here.
    private int groupEnd() {
        int depth = 0;
        for (int i = at; i < pattern.length(); ) {
            char c = pattern.charAt(i);
            if (c == '(') depth++;
            if (c == ')' && --depth == 0) return i + 1;
            i = atomEnd(i);
        }
        return pattern.length();
    }

    /// Behind the character, escape or class that begins at `from`.
    private int atomEnd(int from) {
        char c = pattern.charAt(from);
        if (c == '\\') return escapeEnd(from);
        if (c != '[') return from + Character.charCount(pattern.codePointAt(from));
        int depth = 0;
        for (int i = from; i < pattern.length(); ) {
            char inner = pattern.charAt(i);
            if (inner == '[') depth++;
            if (inner == ']' && --depth == 0) return i + 1;
            i = inner == '\\' ? escapeEnd(i) : i + 1;
        }
        return pattern.length();
    }

    private int escapeEnd(int from) {
        String kind =
                pattern.substring(from, Math.min(from + 2, pattern.length())).toLowerCase(Locale.ROOT);
        boolean isNamed = kind.equals("\\p") && pattern.startsWith("{", from + 2);
        int brace = pattern.indexOf('}', from);
        if (isNamed && brace >= 0) return brace + 1;
        return Math.min(from + 2, pattern.length());
    }
}
