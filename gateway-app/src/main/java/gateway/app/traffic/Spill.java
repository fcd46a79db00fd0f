package gateway.app.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records that could not be shipped, on disk in the order they came, oldest first. Bounded: over its bound the oldest
/// segment goes. Used by one thread; the folder by one process, which a lock on it ensures.
final class Spill implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(Spill.class);

    private final SpillFolder folder;
    private final long maxBytes;
    private final int segmentBytes;
    private final int segmentRecords;
    private final ArrayDeque<Unread> unread = new ArrayDeque<>();
    private final NavigableMap<Long, Sealed> sealed = new TreeMap<>();
    private @Nullable SegmentWriter active;
    private @Nullable Sealed leased;
    private ByteBuffer frames = ByteBuffer.allocate(0);
    private long bytes;
    private long records;
    private long recovered;
    private long damaged;

    /// A segment that is complete.
    ///
    /// @param records sound records in it
    /// @param damaged whether there were others
    record Sealed(Path file, long size, int records, boolean damaged) {}

    /// A segment of an earlier run whose records nobody has counted yet.
    private record Unread(Path file, long size) {}

    private Spill(SpillFolder folder, long maxBytes, int segmentBytes, int segmentRecords) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.segmentBytes = segmentBytes;
        this.segmentRecords = segmentRecords;
    }

    /// @param maxBytes most bytes on disk
    /// @param segmentBytes size from which a new segment is begun
    /// @throws UncheckedIOException when the folder cannot be used or another process uses it
    static Spill open(Path folder, long maxBytes, int segmentBytes, int segmentRecords) {
        try {
            return new Spill(SpillFolder.open(folder), maxBytes, segmentBytes, segmentRecords);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the spill folder " + folder + ": " + e.getMessage(), e);
        }
    }

    /// Finds the segments that an earlier run has left, before anything is appended. [#countNext] then reads them, one
    /// at a time: there may be a gigabyte of them.
    ///
    /// @return how many there are
    int recover() throws IOException {
        for (Path file : folder.segments()) {
            long size = sizeOf(file);
            unread.add(new Unread(file, size));
            bytes += size;
        }
        return unread.size();
    }

    /// Counts the records of the oldest segment not read yet. One that cannot be read is put aside, and counted as one
    /// damaged record: how many there were is not known.
    ///
    /// @return false when there is none
    boolean countNext() {
        Unread next = unread.poll();
        if (next == null) return false;
        bytes -= next.size();
        try {
            recover(next, Segment.count(next.file()));
        } catch (IOException | OutOfMemoryError e) {
            if (Quarantine.isRegular(next.file())) unreadable(1);
            folder.setAside(next.file(), e.toString());
        }
        return true;
    }

    private void recover(Unread segment, Segment.Count found) {
        boolean damaged = found.damaged() > 0;
        if (!found.isSound()) log.warn("{}: {}", segment.file(), found.text());
        unreadable(found.damaged());
        recovered += found.records();
        if (found.records() > 0) add(new Sealed(segment.file(), segment.size(), found.records(), damaged));
        else if (damaged) folder.setAside(segment.file(), "its records are damaged");
        else SpillFolder.delete(segment.file());
    }

    private void unreadable(int count) {
        recovered += count;
        damaged += count;
    }

    /// Of [#recovered], those that are damaged, as far as their number is known.
    long damaged() {
        return damaged;
    }

    /// Records of earlier runs counted so far.
    long recovered() {
        return recovered;
    }

    /// Appends the records of `batch` that `chosen` names, durably: all of them, or none when it throws.
    ///
    /// @return records written
    int append(Batch batch, IntPredicate chosen) throws IOException {
        int count = 0;
        frames.clear();
        for (int i = 0; i < batch.count(); i++) {
            if (!chosen.test(i)) continue;
            int length = batch.end(i) - batch.start(i);
            reserve(Segment.framed(length));
            Segment.frame(batch.array(), batch.start(i), length, frames);
            count++;
        }
        if (count == 0) return 0;
        SegmentWriter writer = writer();
        long before = writer.size();
        writer.append(frames.flip(), count);
        bytes += writer.size() - before;
        records += count;
        if (writer.size() >= segmentBytes || writer.records() >= segmentRecords) seal();
        return count;
    }

    /// Removes what was put aside and then the oldest segments until the bound holds; one being replayed stays.
    ///
    /// @return records dropped
    long evict() {
        long dropped = 0;
        while (bytes + folder.asideBytes() > maxBytes) {
            if (folder.removeAside()) continue;
            Sealed oldest = oldest();
            if (oldest == null) break;
            dropped += oldest.records();
            forget(oldest);
            SpillFolder.delete(oldest.file());
        }
        return dropped;
    }

    /// The oldest segment, until [#settled], [#giveBack] or [#setAside]. Empty when there is none or one is out
    /// already.
    Optional<Sealed> lease() {
        if (leased != null) return Optional.empty();
        Sealed oldest = oldest();
        if (oldest == null) return Optional.empty();
        sealed.remove(SpillFolder.number(oldest.file()));
        leased = oldest;
        return Optional.of(oldest);
    }

    /// Notes what the leased segment holds now.
    ///
    /// @return how many sound records fewer than were counted
    int found(Segment.Count now) {
        Sealed segment = leased;
        if (segment == null) return 0;
        int lost = segment.records() - now.records();
        boolean damaged = segment.damaged() || lost > 0 || now.damaged() > 0;
        leased = new Sealed(segment.file(), segment.size(), now.records(), damaged);
        records -= lost;
        return lost;
    }

    /// Ends the lease: every record of the segment has been dealt with. It is removed, or put aside where records of it
    /// were lost.
    void settled() {
        Sealed done = endLease();
        if (done == null) return;
        if (done.damaged()) folder.setAside(done.file(), "records of it are damaged");
        else SpillFolder.delete(done.file());
    }

    /// Ends the lease; the segment is the oldest again.
    void giveBack() {
        Sealed back = endLease();
        if (back != null) add(back);
    }

    /// Ends the lease and puts the segment out of the way, for people to look at.
    ///
    /// @return its records, which are no longer ours
    int setAside(String reason) {
        Sealed segment = endLease();
        if (segment == null) return 0;
        folder.setAside(segment.file(), reason);
        return segment.records();
    }

    /// Ends the lease of a segment that is no longer there.
    ///
    /// @return its records
    int gone() {
        Sealed segment = endLease();
        return segment == null ? 0 : segment.records();
    }

    /// Whether there are records behind the leased segment.
    boolean hasMore() {
        Sealed out = leased;
        return !unread.isEmpty() || records > (out == null ? 0 : out.records());
    }

    boolean isEmpty() {
        return records == 0 && unread.isEmpty();
    }

    /// Records on disk, as far as they are counted; those out on lease included.
    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        seal();
        folder.close();
    }

    /// Stays where it is.
    private @Nullable Sealed oldest() {
        while (!unread.isEmpty() && (sealed.isEmpty() || number(unread.element()) < sealed.firstKey())) countNext();
        if (sealed.isEmpty()) seal();
        var oldest = sealed.firstEntry();
        return oldest == null ? null : oldest.getValue();
    }

    private static long number(Unread segment) {
        return SpillFolder.number(segment.file());
    }

    private @Nullable Sealed endLease() {
        Sealed segment = leased;
        leased = null;
        if (segment != null) forget(segment);
        return segment;
    }

    private void add(Sealed segment) {
        sealed.put(SpillFolder.number(segment.file()), segment);
        bytes += segment.size();
        records += segment.records();
    }

    private void forget(Sealed segment) {
        sealed.remove(SpillFolder.number(segment.file()));
        bytes -= segment.size();
        records -= segment.records();
    }

    private SegmentWriter writer() throws IOException {
        if (active != null) return active;
        SegmentWriter made = SegmentWriter.create(folder.next());
        bytes += made.size();
        active = made;
        return made;
    }

    private void seal() {
        SegmentWriter writer = active;
        if (writer == null) return;
        active = null;
        close(writer);
        bytes -= writer.size();
        records -= writer.records();
        if (writer.records() == 0) SpillFolder.delete(writer.file());
        else add(new Sealed(writer.file(), writer.size(), writer.records(), false));
    }

    /// Its records were forced to the disk with each append: whatever goes wrong now, they are there.
    private static void close(SegmentWriter writer) {
        try {
            writer.close();
        } catch (IOException e) {
            log.warn("cannot close {}: {}", writer.file(), e.toString());
        }
    }

    private void reserve(int count) {
        if (frames.remaining() >= count) return;
        frames = ByteBuffer.allocate(Math.max(frames.capacity() * 2, frames.position() + count))
                .put(frames.flip());
    }

    static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // counting it will tell
        }
    }
}
