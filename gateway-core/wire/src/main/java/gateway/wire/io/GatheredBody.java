package gateway.wire.io;

import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.wire.memory.Holding;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The bytes of a body as they come, in an array that grows with them: what is only announced takes no memory.
public final class GatheredBody {
    private static final byte[] EMPTY = {};
    private static final int LEAST = 64;

    private final long length;
    private byte[] bytes = EMPTY;
    private int size;

    /// @param length -1 when not known
    public GatheredBody(long length) {
        this.length = length;
    }

    /// Bytes that have come.
    public int size() {
        return size;
    }

    /// Takes `more`, in memory that is drawn from `memory` first.
    ///
    /// @throws UpstreamException when there is none left
    public void add(ByteBuffer more, Holding memory) {
        int count = more.remaining();
        if (count > bytes.length - size) grow(Math.addExact(size, count), memory);
        more.get(bytes, size, count);
        size += count;
    }

    /// To the whole length where that is near, else to twice as much, so that bytes are moved a few times only.
    private void grow(int needed, Holding memory) {
        long twice = Math.max(LEAST, Math.min(2L * needed, Integer.MAX_VALUE - 8));
        int next = (int) Math.max(needed, length < 0 ? twice : Math.min(length, twice));
        if (!memory.hold(memory.bytes() + next - bytes.length))
            throw new UpstreamException(Kind.OVERLOADED, "no memory is left for the body");
        bytes = Arrays.copyOf(bytes, next);
    }

    /// All of them.
    public byte[] whole() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
