package gateway.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// What a [PieceChange] hands on of one piece: an array that grows as far as there is memory, and is used again for the
/// next piece.
public final class PieceOutput {
    private static final int MOST = 1 << 20; // of one piece of 16 KiB: whoever makes more of it is to hold the body

    private final BodyMemory memory;
    private byte[] bytes;
    private int size;

    /// @throws UpstreamException when there is no memory for it
    PieceOutput(BodyMemory memory, int first) {
        memory.hold(first);
        this.memory = memory;
        this.bytes = new byte[first];
    }

    /// Hands on all of `from`.
    public void add(ByteBuffer from) {
        int count = from.remaining();
        require(count);
        from.get(bytes, size, count);
        size += count;
    }

    /// @throws BodyTooLargeException when one piece becomes more than 1 MiB
    /// @throws UpstreamException when there is no memory for it
    public void add(byte[] from, int offset, int count) {
        require(count);
        System.arraycopy(from, offset, bytes, size, count);
        size += count;
    }

    private void require(int count) {
        if (count <= bytes.length - size) return;
        long needed = size + (long) count;
        if (needed > MOST) throw new BodyTooLargeException(MOST);
        int next = (int) Math.min(MOST, Math.max(needed, 2L * bytes.length));
        memory.hold(next - bytes.length);
        bytes = Arrays.copyOf(bytes, next);
    }

    void clear() {
        size = 0;
    }

    /// Good until the next piece.
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, size);
    }
}
