package gateway.policies.message.openapi;

import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Percent-encoded text (RFC 3986 §2.1), read strictly: what two readers would take for two texts is none.
final class PercentText {
    private PercentText() {}

    /// @param plus whether `+` stands for a space, as in queries and forms
    /// @return empty when an escape is cut off, or when it is not UTF-8
    static Optional<String> decoded(String raw, boolean plus) {
        if (raw.indexOf('%') < 0) return Optional.of(plus ? raw.replace('+', ' ') : raw);
        byte[] from = raw.getBytes(StandardCharsets.UTF_8);
        byte[] to = new byte[from.length];
        int length = 0;
        for (int i = 0; i < from.length; i++) {
            byte each = from[i];
            if (each == '%') {
                int high = digit(from, i + 1);
                int low = digit(from, i + 2);
                if (high < 0 || low < 0) return Optional.empty();
                each = (byte) (high << 4 | low);
                i += 2;
            } else if (each == '+' && plus) {
                each = ' ';
            }
            to[length++] = each;
        }
        byte[] whole = java.util.Arrays.copyOf(to, length);
        return Utf8.holds(whole) ? Optional.of(new String(whole, StandardCharsets.UTF_8)) : Optional.empty();
    }

    private static int digit(byte[] text, int at) {
        return at < text.length ? Character.digit(text[at], 16) : -1;
    }
}
