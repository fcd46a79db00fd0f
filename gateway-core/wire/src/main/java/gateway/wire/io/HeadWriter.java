package gateway.wire.io;

import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Scratch space in which a message head is put together before it goes into a buffer at once. One for each IO thread.
public final class HeadWriter {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private byte[] bytes = new byte[8 * 1024];
    private int length;

    public HeadWriter clear() {
        length = 0;
        return this;
    }

    public int length() {
        return length;
    }

    public HeadWriter put(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
        return this;
    }

    /// Latin-1 text; what policies and clients write was checked to hold no CR or LF.
    @SuppressWarnings("deprecation") // the one way to take Latin-1 characters without making an array
    public HeadWriter put(String text) {
        int count = text.length();
        room(count);
        text.getBytes(0, count, bytes, length);
        length += count;
        return this;
    }

    @SuppressWarnings("deprecation")
    public HeadWriter put(String text, int from, int to) {
        room(to - from);
        text.getBytes(from, to, bytes, length);
        length += to - from;
        return this;
    }

    public HeadWriter put(HttpString name) {
        int count = name.length();
        room(count);
        name.copyTo(bytes, length);
        length += count;
        return this;
    }

    public HeadWriter put(char c) {
        room(1);
        bytes[length++] = (byte) c;
        return this;
    }

    public HeadWriter line(HttpString name, String value) {
        return put(name).put(':').put(' ').put(value).end();
    }

    /// A number that is not negative, in decimal.
    public HeadWriter put(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) digits++;
        room(digits);
        length += digits;
        long rest = number;
        for (int at = length - 1; digits-- > 0; rest /= 10) bytes[at--] = (byte) ('0' + rest % 10);
        return this;
    }

    /// Sixteen lower-case hexadecimal digits.
    public HeadWriter hex(long bits) {
        room(16);
        for (int shift = 60; shift >= 0; shift -= 4) bytes[length++] = DIGITS[(int) (bits >>> shift) & 15];
        return this;
    }

    /// What was put so far, as text.
    public String text() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    public HeadWriter end() {
        room(2);
        bytes[length++] = '\r';
        bytes[length++] = '\n';
        return this;
    }

    public void copyTo(ByteBuffer buffer) {
        buffer.put(bytes, 0, length);
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void room(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
}
