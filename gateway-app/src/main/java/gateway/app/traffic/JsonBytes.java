package gateway.app.traffic;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A growing region of bytes that JSON is written into as UTF-8 (RFC 8259), without trees and texts in between.
final class JsonBytes {
    private static final int LONGEST_ESCAPE = 6; // \u001f; no char takes more
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ESCAPE = escapes();
    private static final byte[] REPLACEMENT = "\ufffd".getBytes(StandardCharsets.UTF_8);

    private byte[] bytes;
    private int length;

    JsonBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    /// The bytes written so far are those before [#length]; valid until the next write.
    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    void truncate(int to) {
        length = to;
    }

    /// Gives memory back that one large use has taken.
    void shrink(int most) {
        if (bytes.length > most) bytes = new byte[most];
    }

    /// Writes `ascii` as it is.
    JsonBytes raw(byte[] ascii) {
        return raw(ascii, 0, ascii.length);
    }

    JsonBytes raw(byte[] from, int start, int count) {
        reserve(count);
        System.arraycopy(from, start, bytes, length, count);
        length += count;
        return this;
    }

    JsonBytes raw(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    JsonBytes number(long value) {
        reserve(20);
        if (value < 0) return raw(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
        int digits = 1;
        for (long rest = value; rest >= 10; rest /= 10) digits++;
        long rest = value;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /// Writes `text` as a JSON string. A surrogate without its other half becomes U+FFFD.
    JsonBytes text(String text) {
        reserve(text.length() * LONGEST_ESCAPE + 2);
        byte[] to = bytes;
        int at = length;
        to[at++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                if (ESCAPE[c] == 0) to[at++] = (byte) c;
                else at = escape(c, to, at);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                at = utf8(Character.toCodePoint(c, text.charAt(++i)), to, at);
            } else {
                at = utf8(c, to, at);
            }
        }
        to[at++] = '"';
        length = at;
        return this;
    }

    private static int escape(char c, byte[] to, int start) {
        int at = start;
        to[at++] = '\\';
        to[at++] = ESCAPE[c];
        if (ESCAPE[c] != 'u') return at;
        to[at++] = '0';
        to[at++] = '0';
        to[at++] = HEX[c >> 4];
        to[at++] = HEX[c & 15];
        return at;
    }

    private static int utf8(int codePoint, byte[] to, int start) {
        int at = start;
        if (codePoint < 0x800) {
            to[at++] = (byte) (0xc0 | (codePoint >> 6));
        } else if (codePoint >= 0xd800 && codePoint < 0xe000) {
            System.arraycopy(REPLACEMENT, 0, to, at, REPLACEMENT.length);
            return at + REPLACEMENT.length;
        } else if (codePoint < 0x10000) {
            to[at++] = (byte) (0xe0 | (codePoint >> 12));
            to[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
        } else {
            to[at++] = (byte) (0xf0 | (codePoint >> 18));
            to[at++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
            to[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
        }
        to[at++] = (byte) (0x80 | (codePoint & 0x3f));
        return at;
    }

    private void reserve(int count) {
        if (count > bytes.length - length) bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
    }

    /// For each ASCII character the letter after its backslash; 0 where it stands as it is.
    private static byte[] escapes() {
        var table = new byte[0x80];
        Arrays.fill(table, 0, 0x20, (byte) 'u');
        table['"'] = '"';
        table['\\'] = '\\';
        table['\b'] = 'b';
        table['\t'] = 't';
        table['\n'] = 'n';
        table['\f'] = 'f';
        table['\r'] = 'r';
        return table;
    }
}
