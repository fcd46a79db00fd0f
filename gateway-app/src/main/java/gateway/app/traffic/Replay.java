package gateway.app.traffic;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The segment being replayed, slice by slice. A slice that Elasticsearch finds too much is halved the next time, and
/// grows again when that works.
final class Replay {
    private static final Logger log = LoggerFactory.getLogger(Replay.class);

    private final Spill spill;
    private final BatchPool pool;
    private Batch batch;
    private boolean loaded;
    private boolean out;
    private int from;
    private int width = Integer.MAX_VALUE;

    Replay(Spill spill, BatchPool pool) {
        this.spill = spill;
        this.pool = pool;
        this.batch = pool.take();
    }

    /// Makes the next slice ready to be sent; false when there is none.
    boolean begin() throws IOException {
        if (!loaded && !load()) return false;
        out = true;
        return true;
    }

    /// Whether a slice was sent and not answered yet.
    boolean isOut() {
        return out;
    }

    Batch batch() {
        return batch;
    }

    int from() {
        return from;
    }

    int to() {
        return (int) Math.min(batch.count(), (long) from + width);
    }

    /// The slice that was sent is still to be indexed.
    void again() {
        out = false;
        width = Math.max(1, (to() - from) / 2);
    }

    /// Every record of the slice that was sent has been dealt with.
    void settled() throws IOException {
        out = false;
        from = to();
        if (width < batch.count()) width *= 2;
        if (from < batch.count()) return;
        unload();
        spill.settled();
    }

    /// Records that were dealt with, of a segment that is still on disk.
    int settledRecords() {
        return from;
    }

    private boolean load() throws IOException {
        var segment = spill.lease();
        if (segment.isEmpty()) return false;
        if (!Segment.read(segment.get().file(), batch, 0)) {
            log.info("{} breaks off after {} records", segment.get().file(), batch.count());
        }
        if (batch.count() == 0) {
            spill.settled();
            return false;
        }
        loaded = true;
        return true;
    }

    private void unload() {
        loaded = false;
        from = 0;
        pool.give(batch);
        batch = pool.take();
    }
}
