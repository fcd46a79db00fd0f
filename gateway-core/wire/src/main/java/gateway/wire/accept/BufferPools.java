package gateway.wire.accept;

import gateway.wire.io.BufferPool;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.TlsConnection;

/// The direct memory of a data plane: two pools that do not take from each other.
///
/// @param buffers for content
/// @param records of [TlsConnection#BUFFER_BYTES] each, for records of TLS and frames of HTTP/2; mostly for a turn
public record BufferPools(BufferPool buffers, BufferPool records) {
    /// Size of those for content.
    public static final int BUFFER_BYTES = 16 * 1024;

    private static final int MOST_SPARE_BUFFERS_EACH = 64;
    private static final int MOST_SPARE_RECORDS_EACH = 16;
    private static final int RECORD_PARTS = 8;
    private static final int SPARE_PARTS = 8; // no more of a budget: spares count as held, and must not press

    public static BufferPools of(MemoryBudget memory, int ioThreads) {
        Budget direct = memory.of(Kind.BUFFERS);
        Budget forRecords = direct.part(direct.most() / RECORD_PARTS);
        return new BufferPools(
                pool(BUFFER_BYTES, ioThreads, MOST_SPARE_BUFFERS_EACH, direct),
                pool(TlsConnection.BUFFER_BYTES, ioThreads, MOST_SPARE_RECORDS_EACH, forRecords));
    }

    private static BufferPool pool(int size, int ioThreads, int mostSpare, Budget budget) {
        long spare = budget.most() / SPARE_PARTS / size / ioThreads;
        return new BufferPool(size, ioThreads, (int) Math.min(spare, mostSpare), budget);
    }

    public void close() {
        buffers.close();
        records.close();
    }
}
