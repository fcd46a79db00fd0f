package gateway.app.traffic;

import java.util.ArrayDeque;

/// Batches not in use. As many exist as were ever in use at once.
final class BatchPool {
    private final ArrayDeque<Batch> idle = new ArrayDeque<>();
    private final int maxRecords;
    private final int maxBytes;

    BatchPool(int maxRecords, int maxBytes) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
    }

    Batch take() {
        Batch batch = idle.pollFirst();
        return batch == null ? new Batch(maxRecords, maxBytes) : batch;
    }

    void give(Batch batch) {
        batch.clear();
        idle.addFirst(batch);
    }
}
