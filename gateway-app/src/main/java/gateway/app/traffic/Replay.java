package gateway.app.traffic;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The segment being replayed, slice by slice. A slice that Elasticsearch finds too much is halved the next time, and
/// grows again when that works.
final class Replay {
    private static final Logger log = LoggerFactory.getLogger(Replay.class);
    private static final int PATIENCE = 10; // failures, about a minute

    private final Spill spill;
    private final BatchPool pool;
    private final Tally tally;
    private final Backoff backoff;
    private int failures;
    private Batch batch;
    private boolean loaded;
    private boolean out;
    private int from;
    private int width = Integer.MAX_VALUE;

    /// @param backoff between attempts at a segment that cannot be read
    Replay(Spill spill, BatchPool pool, Tally tally, Backoff backoff) {
        this.spill = spill;
        this.pool = pool;
        this.tally = tally;
        this.backoff = backoff;
        this.batch = pool.take();
    }

    /// Makes the next slice ready to be sent; false when there is none, or none that can be read now.
    boolean begin(long nowNanos) {
        if (!loaded && !load(nowNanos)) return false;
        out = true;
        return true;
    }

    /// Whether the oldest segment could not be read the last time.
    boolean isStuck() {
        return backoff.isFailing();
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
    void settled() {
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

    private boolean load(long nowNanos) {
        if (!backoff.mayTry(nowNanos)) return false;
        var segment = spill.lease();
        if (segment.isEmpty()) return false;
        try {
            loaded = read(segment.get());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            batch.clear();
            unreadable(segment.get(), e, nowNanos);
            return false;
        }
        failures = 0;
        backoff.worked();
        return loaded;
    }

    private boolean read(Spill.Sealed segment) throws IOException {
        boolean sound = Segment.read(segment.file(), batch, 0);
        if (!sound) log.warn("{} breaks off after {} records", segment.file(), batch.count());
        tally.addDropped(spill.found(batch.count()));
        if (batch.count() > 0) return true;
        spill.settled();
        return false;
    }

    /// It may have been for want of file handles, or for good: after some attempts the segments behind it go first.
    private void unreadable(Spill.Sealed segment, Throwable failure, long nowNanos) {
        if (failure instanceof NoSuchFileException) {
            log.error("{} is gone, its {} records are lost", segment.file(), segment.records());
            tally.addDropped(spill.gone());
        } else if (++failures < PATIENCE) {
            if (failures == 1) log.warn("cannot read {}, which is tried again", segment.file(), failure);
            spill.giveBack();
            backoff.failed(nowNanos);
            return;
        } else {
            tally.addDropped(spill.setAside(failure.toString()));
        }
        failures = 0;
        backoff.worked();
    }

    private void unload() {
        loaded = false;
        from = 0;
        pool.give(batch);
        batch = pool.take();
    }
}
