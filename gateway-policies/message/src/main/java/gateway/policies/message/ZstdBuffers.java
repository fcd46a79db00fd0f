package gateway.policies.message;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/// Buffers outside of the heap, where the library of zstd reads and writes. One pair serves one piece at a time,
/// so that there are never more of them than threads that pack at once.
final class ZstdBuffers {
    private static final int SIZE = 16 * 1024;

    private final ConcurrentLinkedDeque<Pair> free = new ConcurrentLinkedDeque<>();

    record Pair(ByteBuffer from, ByteBuffer made) {}

    Pair take() {
        @Nullable Pair pair = free.pollFirst();
        return pair == null ? new Pair(ByteBuffer.allocateDirect(SIZE), ByteBuffer.allocateDirect(SIZE)) : pair;
    }

    void giveBack(Pair pair) {
        free.addFirst(pair);
    }

    /// What policies find them by: they are the same for all.
    record Id() {}
}
