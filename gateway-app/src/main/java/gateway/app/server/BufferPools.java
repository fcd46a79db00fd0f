package gateway.app.server;

import gateway.app.budget.Budget;
import gateway.app.budget.Kind;
import gateway.app.budget.MemoryBudget;
import gateway.app.tls.TlsConnection;
import gateway.app.upstream.BufferPool;

/// The direct memory of a data plane: two pools that do not take from each other.
///
/// @param buffers for content
/// @param records of [TlsConnection#BUFFER_BYTES] each, for records of TLS and frames of HTTP/2; mostly for a turn
record BufferPools(BufferPool buffers, BufferPool records) {
    /// Size of those for content.
    static final int BUFFER_BYTES = 16 * 1024;

    private static final int SPARE_BUFFERS_EACH = 64;
    private static final int SPARE_RECORDS_EACH = 16;
    private static final int RECORD_PARTS = 8;

    static BufferPools of(MemoryBudget memory, int ioThreads) {
        Budget direct = memory.of(Kind.BUFFERS);
        Budget forRecords = direct.part(direct.most() / RECORD_PARTS);
        return new BufferPools(
                new BufferPool(BUFFER_BYTES, ioThreads, SPARE_BUFFERS_EACH, direct),
                new BufferPool(TlsConnection.BUFFER_BYTES, ioThreads, SPARE_RECORDS_EACH, forRecords));
    }

    void close() {
        buffers.close();
        records.close();
    }
}
