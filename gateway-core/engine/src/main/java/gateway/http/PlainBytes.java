package gateway.http;

import java.util.Arrays;

/// What comes of undoing a coding, as far as it may grow: in bytes, by its ratio to what was sent, and by the
/// memory there is.
public final class PlainBytes {
    private static final byte[] NONE = {};
    private static final int PIECE = 8 * 1024;
    private static final long FREE = 64 * 1024; // little of something simple may well be packed into almost nothing
    private static final long RATIO = 200; // as Apache's DeflateInflateRatioLimit; a bomb's is 1,000

    private final long most;
    private final BodyMemory memory;
    private byte[] bytes = NONE;
    private int size;

    private PlainBytes(long most, BodyMemory memory) {
        this.most = most;
        this.memory = memory;
    }

    /// @param sent bytes of what is undone, as they came
    /// @param wanted most bytes that may come of it
    static PlainBytes of(long sent, long wanted, BodyMemory memory) {
        return new PlainBytes(Math.min(wanted, Math.max(FREE, RATIO * sent)), memory);
    }

    /// @throws BodyTooLargeException when it has grown too large
    /// @throws UpstreamException when there is no memory for it
    public void add(byte[] from, int offset, int count) {
        if (size + (long) count > most) throw new BodyTooLargeException(most);
        if (count > bytes.length - size) grow(size + count);
        System.arraycopy(from, offset, bytes, size, count);
        size += count;
    }

    private void grow(int needed) {
        int next = (int) Math.max(needed, Math.min(most, Math.max(PIECE, 2L * bytes.length)));
        memory.hold(next - bytes.length);
        bytes = Arrays.copyOf(bytes, next);
    }

    byte[] whole() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
