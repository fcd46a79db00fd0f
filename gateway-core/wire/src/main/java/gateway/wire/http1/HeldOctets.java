package gateway.wire.http1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Octets of a connection that were read and wait: for the rest of their head or line, or for their reader to come
/// again. On the heap in about their number, and without memory while there are none.
final class HeldOctets {
    private static final byte[] NONE = {};
    private static final int MOST_SPARE = 1024;
    private static final long OBJECTS = 32; // the array's own header, and what rounds it up

    private byte[] octets = NONE;
    private int from;
    private int to;

    boolean isEmpty() {
        return from == to;
    }

    int count() {
        return to - from;
    }

    /// Where the first one is in [#buffer].
    int from() {
        return from;
    }

    /// Where the last one ends in [#buffer].
    int to() {
        return to;
    }

    /// Valid until more are kept.
    ByteBuffer buffer() {
        return ByteBuffer.wrap(octets);
    }

    /// Bytes of the heap that they take.
    long heapBytes() {
        return octets.length == 0 ? 0 : octets.length + OBJECTS;
    }

    /// Adds those from `start` to `end` in `source`.
    void keep(ByteBuffer source, int start, int end) {
        int count = end - start;
        if (count == 0) return;
        if (to + count > octets.length) makeRoom(count);
        source.get(start, octets, to, count);
        to += count;
    }

    /// Exactly as much at first; a little more when that was not enough, so that tiny pieces are not copied each time.
    private void makeRoom(int count) {
        int length = to - from;
        int needed = length + count;
        byte[] larger = new byte[length == 0 ? needed : needed + Math.min(needed, MOST_SPARE)];
        System.arraycopy(octets, from, larger, 0, length);
        octets = larger;
        from = 0;
        to = length;
    }

    /// Moves the first `count` into `target`.
    void moveInto(ByteBuffer target, int count) {
        target.put(octets, from, count);
        drop(count);
    }

    /// Takes out what lies between the first `kept` and the octet at `next`, both counted from the first. Moves those
    /// that are kept, which are few.
    void cut(int kept, int next) {
        System.arraycopy(octets, from, octets, from + next - kept, kept);
        from += next - kept;
    }

    /// Forgets the first `count`.
    void drop(int count) {
        from += count;
        if (from == to) clear();
    }

    void clear() {
        octets = NONE;
        from = 0;
        to = 0;
    }

    /// The octet so many behind the first is `octet` from now on.
    void set(int place, char octet) {
        octets[from + place] = (byte) octet;
    }

    /// As text, one character an octet.
    String text(int start, int end) {
        return new String(
                Arrays.copyOfRange(octets, from + start, from + end), java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
