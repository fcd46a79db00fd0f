package gateway.http;

import gateway.http.CanonicalPath.Canonical;
import gateway.http.CanonicalPath.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decodes one path that is not plain. Encoded separators pass through as two octets that no path can hold
/// otherwise, because control characters are refused, and become text again at the end.
final class PathDecoder {
    private static final char SLASH = '\u0001';
    private static final char BACKSLASH = '\u0002';

    private final String raw;
    private final byte[] octets;
    private int length;

    PathDecoder(String raw) {
        this.raw = raw;
        this.octets = new byte[raw.length()];
    }

    CanonicalPath decode() {
        if (raw.isEmpty() || raw.charAt(0) != '/') return new Refused("the path does not begin with /");
        String wrong = decodeOctets();
        if (wrong != null) return new Refused(wrong);
        String text = text();
        if (text == null) return new Refused("the path is not UTF-8");
        wrong = wrongText(text);
        if (wrong == null) wrong = wrongSegment(text);
        if (wrong != null) return new Refused(wrong);
        boolean separators = text.indexOf(SLASH) >= 0 || text.indexOf(BACKSLASH) >= 0;
        String path = separators ? text.replace("\u0001", "%2F").replace("\u0002", "%5C") : text;
        return new Canonical(path.equals(raw) ? raw : path, separators);
    }

    /// Fills `octets`; answers what is wrong, or null.
    private @Nullable String decodeOctets() {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '%') {
                if (!PathOctets.isAllowed(c)) return "the path holds a character that must be percent-encoded";
                octets[length++] = (byte) c;
                continue;
            }
            int octet = escaped(i + 1);
            if (octet < 0) return "the path holds a malformed percent-escape";
            if (octet < 0x20 || octet == 0x7f) return "the path holds an encoded control character";
            octets[length++] = (byte) (octet == '/' ? SLASH : octet == '\\' ? BACKSLASH : octet);
            i += 2;
        }
        return null;
    }

    private int escaped(int at) {
        if (at + 2 > raw.length()) return -1;
        int high = PathOctets.hexDigit(raw.charAt(at));
        int low = PathOctets.hexDigit(raw.charAt(at + 1));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private @Nullable String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null; // overlong, a surrogate or cut short
        }
    }

    /// An escape that shows only after decoding: an upstream that decodes twice would see another path.
    private static @Nullable String wrongText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80 && c <= 0x9f) return "the path holds an encoded control character";
            if (c != '%' || i + 2 >= text.length()) continue;
            if (PathOctets.hexDigit(text.charAt(i + 1)) >= 0 && PathOctets.hexDigit(text.charAt(i + 2)) >= 0) {
                return "the path is percent-encoded twice";
            }
        }
        return null;
    }

    private static @Nullable String wrongSegment(String text) {
        int start = 1;
        for (int i = 1; i <= text.length(); i++) {
            char c = i == text.length() ? '/' : text.charAt(i);
            if (c != '/' && c != SLASH && c != BACKSLASH) continue;
            if (i == start && i < text.length() && c == '/' && text.charAt(i - 1) == '/') {
                return "the path holds an empty segment";
            }
            if (isDotSegment(text, start, i)) return "the path holds a dot segment";
            start = i + 1;
        }
        return null;
    }

    /// `.` or `..`, with or without path parameters (`..;x`), which some servers take off before they resolve.
    private static boolean isDotSegment(String text, int from, int to) {
        int parameters = text.indexOf(';', from);
        int end = parameters >= 0 && parameters < to ? parameters : to;
        if (end - from == 1) return text.charAt(from) == '.';
        return end - from == 2 && text.charAt(from) == '.' && text.charAt(from + 1) == '.';
    }
}
