package gateway.policies.message.xml;

import java.util.Locale;

/// Writes a regular expression of XML Schema (XSD 1.0, appendix F) so that the JDK's matcher looks at no place twice.
///
/// That one tries all ways through what may be left out, repeated a counted number of times, or one of several, which
/// are too many to count for `([a-z]{1,20}-?){1,20}`; at `*` alone it remembers where it was, and does not go on from
/// there once more. So `()*`, which matches nothing, is put before such pieces: as nothing is captured, what failed
/// from
/// a place fails again, and the verdict stays what it was.
final class RememberingPattern {
    private static final String MARK = "()*";

    private final String pattern;
    private final StringBuilder written;
    private int choices;
    private boolean repeatsGroups;
    private int at;

    private RememberingPattern(String pattern) {
        this.pattern = pattern;
        this.written = new StringBuilder(pattern.length() * 2);
    }

    /// The same expression, with marks where it has more ways than one.
    ///
    /// @param pattern a valid one
    static String of(String pattern) {
        var remembering = new RememberingPattern(pattern);
        remembering.write();
        boolean hasWays = remembering.choices > 1 || (remembering.choices > 0 && remembering.repeatsGroups);
        return hasWays ? remembering.written.toString() : pattern;
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
                }
                case '?', '*', '+', '{' -> quantifier();
                default -> atom(atomEnd(at));
            }
        }
    }

    private void quantifier() {
        int end = pattern.charAt(at) == '{' ? pattern.indexOf('}', at) + 1 : at + 1;
        String text = pattern.substring(at, end);
        if (text.equals("?") || text.contains(",")) choices++;
        written.append(text);
        at = end;
    }

    private void atom(int end) {
        if (isCounted(end)) written.append(MARK);
        written.append(pattern, at, end);
        at = end;
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
        int end = isNamed ? pattern.indexOf('}', from) + 1 : from + 2;
        return Math.min(end, pattern.length());
    }
}
