package gateway.regex;

import org.jspecify.annotations.Nullable;

/// A place in the text of a regular expression, moved on as RE2/J's parser moves on. What RE2/J refuses is taken for
/// plain characters here.
final class RegexCursor {
    /// `{min,max}`; `*`, `+` and `?` are written so too.
    record Repeat(int min, int max) {
        static final int WITHOUT_END = -1;
    }

    static final String FLAGS = "imsU-";

    private static final int NO_NUMBER = -2;

    private final String text;
    private int at;

    RegexCursor(String text) {
        this.text = text;
    }

    boolean more() {
        return at < text.length();
    }

    boolean lookingAt(char character) {
        return more() && text.charAt(at) == character;
    }

    /// The character here, and on.
    int pop() {
        if (!more()) return 0;
        int character = text.codePointAt(at);
        at += Character.charCount(character);
        return character;
    }

    /// Goes past `part` if it stands here.
    boolean skip(String part) {
        if (!text.startsWith(part, at)) return false;
        at += part.length();
        return true;
    }

    boolean skipOneOf(String characters) {
        if (!more() || characters.indexOf(text.charAt(at)) < 0) return false;
        at++;
        return true;
    }

    /// Behind `(`: past the `?P<name>` of a group.
    boolean skipName() {
        if (!skip("?P<") && !skip("?<")) return false;
        pastFirst(">");
        return true;
    }

    /// Behind `(`: past `?:` or `?i:`, which begin a group, or past `?i)`, which is none.
    ///
    /// @return whether a group begins
    boolean flags() {
        skip("?");
        while (skipOneOf(FLAGS)) {} // in whatever order: RE2/J stops at a wrong one
        return skip(":") || !skip(")");
    }

    /// Behind `{`: the numbers and `}`, or nothing when the brace is just a brace.
    @Nullable
    Repeat repeat() {
        int begin = at;
        int min = number();
        int max = min;
        if (min != NO_NUMBER && skip(",")) max = lookingAt('}') ? Repeat.WITHOUT_END : number();
        if (min != NO_NUMBER && max != NO_NUMBER && skip("}")) return new Repeat(min, max);
        at = begin;
        return null;
    }

    /// Behind `\Q`: what is quoted.
    String quoted() {
        int begin = at;
        int end = text.indexOf("\\E", at);
        at = end < 0 ? text.length() : end + 2;
        return text.substring(begin, end < 0 ? text.length() : end);
    }

    /// Behind a backslash: past `pL`, `P{Greek}` and the like.
    boolean skipUnicodeClass() {
        if (!skipOneOf("pP")) return false;
        if (skip("{")) pastFirst("}");
        else if (more()) pop();
        return true;
    }

    /// In a class: past `[:alpha:]` and the like.
    boolean skipNamedClass() {
        if (!text.startsWith("[:", at) || text.indexOf(":]", at) < 0) return false;
        pastFirst(":]");
        return true;
    }

    /// In a class: past a hyphen between two characters.
    boolean skipRangeSign() {
        return lookingAt('-') && !text.startsWith("-]", at) && skip("-");
    }

    /// The end of a range in a class.
    int classCharacter() {
        return skip("\\") ? escaped() : pop();
    }

    /// Behind a backslash: the one character that it stands for.
    int escaped() {
        if (!more()) return 0;
        int character = pop();
        return switch (character) {
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(character);
            case 'x' -> skip("{") ? hexadecimal() : digits(2);
            case 'a', 'f', 'n', 'r', 't', 'v' -> 0; // controls, which have no case
            default -> character;
        };
    }

    private int octal(int first) {
        int value = first - '0';
        for (int i = 1; i < 3 && more() && isOctal(text.charAt(at)); i++) value = value * 8 + pop() - '0';
        return value;
    }

    private int hexadecimal() {
        int begin = at;
        int end = text.indexOf('}', at);
        if (end < 0) return 0;
        int value = digits(end - begin);
        at = end + 1;
        return value;
    }

    private int digits(int count) {
        int value = 0;
        for (int i = 0; i < count; i++) {
            int digit = Character.digit(more() ? pop() : ' ', 16);
            value = value * 16 + digit;
            if (digit < 0 || value > Character.MAX_CODE_POINT) return 0;
        }
        return value;
    }

    private int number() {
        int begin = at;
        while (more() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        if (at == begin || (at > begin + 1 && text.charAt(begin) == '0')) return NO_NUMBER;
        return at - begin > 8 ? Integer.MAX_VALUE : Integer.parseInt(text.substring(begin, at));
    }

    private void pastFirst(String end) {
        int found = text.indexOf(end, at);
        if (found >= 0) at = found + end.length();
    }

    private static boolean isOctal(char character) {
        return character >= '0' && character <= '7';
    }
}
