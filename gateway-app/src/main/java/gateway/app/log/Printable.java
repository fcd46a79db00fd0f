package gateway.app.log;

/// Text made safe for a line of a log: what could end the line, steer a terminal or turn the reading direction stands
/// there as `\n`, `\r`, `\t` or a `\`, `u` and four hexadecimal digits, so that nothing a client sends can look like a
/// line of ours (CWE-117).
final class Printable {
    private Printable() {}

    static void append(StringBuilder to, String text) {
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isHarmful(c)) continue;
            to.append(text, from, i);
            from = i + 1;
            escape(to, c);
        }
        to.append(text, from, text.length());
    }

    private static boolean isHarmful(char c) {
        if (c < ' ') return true;
        if (c < 0x7f) return false;
        return c <= 0x9f // DEL and C1, which some terminals obey
                || (c >= 0x2028 && c <= 0x202e) // line and paragraph separators, directions
                || (c >= 0x2066 && c <= 0x2069)
                || (c >= 0x200e && c <= 0x200f);
    }

    private static void escape(StringBuilder to, char c) {
        switch (c) {
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> {
                to.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) to.append(Character.forDigit((c >> shift) & 15, 16));
            }
        }
    }
}
