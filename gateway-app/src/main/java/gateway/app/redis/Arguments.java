package gateway.app.redis;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Keys and arguments of one script call, written as Redis' protocol (RESP) on the calling thread, so that
/// the event loop only copies bytes. Keys first.
final class Arguments {
    private final String firstKey;
    private byte[] bytes = new byte[256];
    private int length;
    private int words;

    private Arguments(String firstKey) {
        this.firstKey = firstKey;
    }

    /// Begins with all `keys`, which hash to one slot.
    static Arguments keys(String... keys) {
        var arguments = new Arguments(keys[0]).add(keys.length);
        for (String key : keys) arguments.add(key);
        return arguments;
    }

    Arguments add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Arguments add(byte[] encoded) {
        room(encoded.length + 16);
        put('$');
        digits(encoded.length);
        line();
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
        line();
        words++;
        return this;
    }

    Arguments add(long number) {
        room(48);
        put('$');
        digits(width(number));
        line();
        digits(number);
        line();
        words++;
        return this;
    }

    /// Decides the slot and so the node in a cluster.
    String firstKey() {
        return firstKey;
    }

    void write(byte[] head, ByteBuf out) {
        out.writeByte('*');
        out.writeCharSequence(Integer.toString(words + 2), StandardCharsets.US_ASCII);
        out.writeByte('\r').writeByte('\n').writeBytes(head).writeBytes(bytes, 0, length);
    }

    private void room(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }

    private void put(char c) {
        bytes[length++] = (byte) c;
    }

    private void line() {
        put('\r');
        put('\n');
    }

    private void digits(long number) {
        if (number < 0) {
            put('-');
            number = -number;
        }
        int end = length + width(number);
        long rest = number;
        for (int i = end - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length = end;
    }

    private static int width(long number) {
        int width = number < 0 ? 2 : 1;
        for (long rest = Math.abs(number); rest >= 10; rest /= 10) width++;
        return width;
    }
}
