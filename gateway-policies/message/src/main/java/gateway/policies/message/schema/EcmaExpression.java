package gateway.policies.message.schema;

import java.util.Map;

/// Regular expressions as schemas write them (ECMA-262), in the words of RE2: the two differ in some escapes. What RE2
/// cannot do, such as looking around, is left as it stands and refused there.
final class EcmaExpression {
    private static final String SPACES = "\\t\\n\\x0b\\f\\r \\x{a0}\\x{feff}\\x{2028}\\x{2029}\\p{Zs}";
    private static final Map<String, String> CATEGORIES = Map.of(
            "Letter", "L",
            "Uppercase_Letter", "Lu",
            "Lowercase_Letter", "Ll",
            "Mark", "M",
            "Number", "N",
            "Decimal_Number", "Nd",
            "digit", "Nd",
            "Punctuation", "P",
            "Symbol", "S",
            "Separator", "Z");

    private EcmaExpression() {}

    static String inRe2(String text) {
        var to = new StringBuilder(text.length() + 16);
        boolean inClass = false;
        int at = 0;
        while (at < text.length()) {
            char here = text.charAt(at);
            if (here == '\\' && at + 1 < text.length()) {
                at = escape(text, at, inClass, to);
                continue;
            }
            if (here == '[') inClass = true;
            if (here == ']') inClass = false;
            to.append(here);
            at++;
        }
        return to.toString();
    }

    /// Writes what stands at the backslash at `at`.
    ///
    /// @return behind it
    private static int escape(String text, int at, boolean inClass, StringBuilder to) {
        char kind = text.charAt(at + 1);
        switch (kind) {
            case 'u' -> {
                if (isHexadecimal(text, at + 2, 4)) {
                    to.append("\\x{").append(text, at + 2, at + 6).append('}');
                    return at + 6;
                }
            }
            case 'c' -> {
                if (at + 2 < text.length()) {
                    to.append("\\x{")
                            .append(Integer.toHexString(text.charAt(at + 2) % 32))
                            .append('}');
                    return at + 3;
                }
            }
            case 's' -> {
                to.append(inClass ? SPACES : "[" + SPACES + "]");
                return at + 2;
            }
            case 'S' -> {
                if (!inClass) {
                    to.append("[^").append(SPACES).append(']');
                    return at + 2;
                }
            }
            case 'p', 'P' -> {
                int end = text.indexOf('}', at);
                if (text.startsWith("{", at + 2) && end > 0) {
                    String name = text.substring(at + 3, end);
                    to.append('\\').append(kind).append('{');
                    to.append(CATEGORIES.getOrDefault(name, name.replaceAll("^(Script|sc)=", "")));
                    to.append('}');
                    return end + 1;
                }
            }
            default -> {}
        }
        to.append('\\').append(kind);
        return at + 2;
    }

    private static boolean isHexadecimal(String text, int from, int count) {
        if (text.length() < from + count) return false;
        for (int i = from; i < from + count; i++) if (Character.digit(text.charAt(i), 16) < 0) return false;
        return true;
    }
}
