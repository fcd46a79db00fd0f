package gateway.policies.message.filter;

import java.util.Optional;

/// Escapes within texts of JSON (RFC 8259 §7).
final class JsonEscapes {
    private static final int DIGITS = 4;
    private static final int HEXADECIMAL = 16;

    private JsonEscapes() {}

    /// What a text stands for; empty when it has an escape that there is not.
    static Optional<String> undone(String text) {
        int escape = text.indexOf('\\');
        if (escape < 0) return Optional.of(text);
        var plain = new StringBuilder(text.length());
        int from = 0;
        while (escape >= 0) {
            plain.append(text, from, escape);
            int kind = escape + 1 < text.length() ? text.charAt(escape + 1) : 0;
            int code = kind == 'u' ? unit(text, escape + 2) : character(kind);
            if (code < 0) return Optional.empty();
            plain.append((char) code);
            from = escape + (kind == 'u' ? 2 + DIGITS : 2);
            escape = text.indexOf('\\', from);
        }
        return Optional.of(plain.append(text, from, text.length()).toString());
    }

    private static int character(int kind) {
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> -1;
        };
    }

    private static int unit(String text, int from) {
        if (from + DIGITS > text.length()) return -1;
        int unit = 0;
        for (int i = from; i < from + DIGITS; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, HEXADECIMAL) : -1;
            if (digit < 0) return -1;
            unit = unit * HEXADECIMAL + digit;
        }
        return unit;
    }
}
