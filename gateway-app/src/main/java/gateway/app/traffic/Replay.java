package gateway.app.traffic;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The segment being replayed, slice by slice. A slice that Elasticsearch finds too much is halved the next time, and
/// grows again when that works. Records of it that are not taken are sent alone, after its last slice; when that fails,
/// they are put off to the end of the spill, so that the segments behind do not wait for them.
final class Replay {
    private static final Logger log = LoggerFactory.getLogger(Replay.class);
    private static final int PATIENCE = 10; // failures, about a minute

    private final Spill spill;
    private final BatchPool pool;
    private final SinkCounts tally;
    private final Backoff backoff;
    private final RetriedRecords retriedRecords = new RetriedRecords();
    private int failures;
    private Batch batch;
    private boolean loaded;
    private boolean out;
    private int from;
    private int dealt; // records of the segment that are settled
    private long indexedBefore = -1; // when a slice was last refused
    private int width = Integer.MAX_VALUE;

    /// @param backoff between attempts at a segment that cannot be read
    Replay(Spill spill, BatchPool pool, SinkCounts tally, Backoff backoff) {
        this.spill = spill;
        this.pool = pool;
        this.tally = tally;
        this.backoff = backoff;
        this.batch = pool.take();
    }

    /// Makes the next slice ready to be sent; false when there is none, or none that can be read now.
    boolean begin(long nowNanos) {
        if (!loaded && !load(nowNanos)) return false;
        if (isStraggling() && !retriedRecords.mayTry(nowNanos)) return false;
        out = true;
        return true;
    }

    /// Whether the oldest segment could not be read the last time, or single records of it are not taken: then it tells
    /// nothing of Elasticsearch.
    boolean isStuck() {
        return backoff.isFailing() || isStraggling();
    }

    /// Whether all that is left of the segment are records that were not taken.
    boolean isStraggling() {
        return loaded && from == batch.count();
    }

    /// Whether a record that fails now has failed often enough while others were taken.
    boolean isLastAttempt() {
        return isStraggling() && retriedRecords.isLastAttempt(tally.indexed());
    }

    /// Whether any record was taken since this was last asked.
    boolean haveOthersBeenTaken() {
        long indexed = tally.indexed();
        boolean taken = indexedBefore >= 0 && indexed != indexedBefore;
        indexedBefore = indexed;
        return taken;
    }

    /// Whether a slice was sent and not answered yet.
    boolean isOut() {
        return out;
    }

    Batch batch() {
        return batch;
    }

    int from() {
        return isStraggling() ? retriedRecords.record() : from;
    }

    int to() {
        return isStraggling() ? from() + 1 : (int) Math.min(batch.count(), (long) from + width);
    }

    /// Nothing is known of the slice that was sent.
    void again() {
        out = false;
        if (!isStraggling()) width = Math.max(1, (to() - from) / 2);
    }

    /// Each record of the slice that was sent has its answer.
    ///
    /// @param later those of its records that are still to be indexed, by their numbers in the batch
    /// @param indexed how many of it were indexed now
    void settled(List<Integer> later, int indexed, long nowNanos) {
        long indexedSoFar = tally.indexed() + indexed;
        if (isStraggling()) settledAlone(!later.isEmpty(), indexedSoFar, nowNanos);
        else settledSlice(later, indexedSoFar, nowNanos);
        out = false;
        if (!isStraggling()) return;
        if (!retriedRecords.isEmpty() && !isPutOff()) return;
        unload();
        spill.settled();
    }

    /// Written anew before the segment goes: after a crash in between they are sent twice, which their ids tell.
    private boolean isPutOff() {
        if (!retriedRecords.isTried() || !spill.hasMore()) return false;
        try {
            spill.append(batch, retriedRecords::holds);
        } catch (IOException e) {
            log.warn("records that are not taken stay ahead of others, since they cannot be put off: {}", e.toString());
            return false;
        }
        retriedRecords.putOff(batch);
        tally.addDropped(spill.evict());
        return true;
    }

    /// Records that were dealt with, of a segment that is still on disk.
    int settledRecords() {
        return dealt;
    }

    private void settledSlice(List<Integer> later, long indexed, long nowNanos) {
        retriedRecords.add(later, batch, indexed);
        dealt += to() - from - later.size();
        from = to();
        if (width < batch.count()) width *= 2;
        if (isStraggling()) retriedRecords.begin(nowNanos);
    }

    private void settledAlone(boolean failed, long indexed, long nowNanos) {
        if (failed) {
            retriedRecords.failed(indexed, nowNanos);
        } else {
            retriedRecords.settled(nowNanos);
            dealt++;
        }
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
        Segment.Count found = Segment.read(segment.file(), batch, 0);
        if (!found.isSound()) log.warn("{}: {}", segment.file(), found.text());
        tally.addDropped(spill.found(found));
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
        dealt = 0;
        pool.give(batch);
        batch = pool.take();
    }
}
