package gateway.app.server.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The beginning of a line whose end has not arrived yet. Empty, and without memory, while lines arrive whole.
final class LineRest {
    private static final byte[] NONE = {};

    private byte[] octets = NONE;
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    int length() {
        return length;
    }

    /// Whether the last octet is CR: the next one must be LF.
    boolean endsInCr() {
        return length > 0 && octets[length - 1] == '\r';
    }

    void keep(ByteBuffer buffer, int from, int to) {
        int grown = length + to - from;
        if (grown > octets.length) octets = Arrays.copyOf(octets, Math.max(grown, Math.max(256, 2 * octets.length)));
        buffer.get(from, octets, length, to - from);
        length = grown;
    }

    /// What is kept, without a CR at its end; valid until the next change.
    ByteBuffer line() {
        return ByteBuffer.wrap(octets, 0, endsInCr() ? length - 1 : length);
    }

    /// Forgets what is kept; gives back memory that an unusually long line took.
    void clear() {
        length = 0;
        if (octets.length > 1024) octets = NONE;
    }
}
