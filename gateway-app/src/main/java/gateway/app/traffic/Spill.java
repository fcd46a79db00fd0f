package gateway.app.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records that could not be shipped, on disk in the order they came, oldest first. Bounded: over its bound the oldest
/// segment goes. Used by one thread; the folder by one process, which a lock on it ensures.
final class Spill implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(Spill.class);
    private static final String SUFFIX = ".segment";

    private final Path folder;
    private final long maxBytes;
    private final int segmentBytes;
    private final int segmentRecords;
    private final FileLock lock;
    private final ArrayDeque<Sealed> sealed = new ArrayDeque<>();
    private @Nullable SegmentWriter active;
    private @Nullable Sealed leased;
    private ByteBuffer frames = ByteBuffer.allocate(0);
    private long nextNumber = 1;
    private long bytes;
    private long records;

    /// A segment that is complete.
    ///
    /// @param records sound records in it
    record Sealed(Path file, long size, int records) {}

    private Spill(Path folder, long maxBytes, int segmentBytes, int segmentRecords, FileLock lock) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.segmentBytes = segmentBytes;
        this.segmentRecords = segmentRecords;
        this.lock = lock;
    }

    /// @param maxBytes most bytes on disk
    /// @param segmentBytes size from which a new segment is begun
    /// @throws UncheckedIOException when the folder cannot be used or another process uses it
    static Spill open(Path folder, long maxBytes, int segmentBytes, int segmentRecords) {
        try {
            Files.createDirectories(folder);
            return new Spill(folder, maxBytes, segmentBytes, segmentRecords, lock(folder.resolve("lock")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the spill folder " + folder + ": " + e.getMessage(), e);
        }
    }

    /// Finds what an earlier run has left, and drops the oldest of it that does not fit the bound.
    ///
    /// @return records found, those dropped included
    long recover() throws IOException {
        for (Path file : segmentFiles()) {
            nextNumber = Math.max(nextNumber, number(file) + 1);
            var found = new Sealed(file, Files.size(file), Segment.count(file));
            if (found.records() == 0) Segment.delete(file);
            else add(found);
        }
        return records;
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

    /// Drops the oldest segments until the bound holds; one that is being replayed stays.
    ///
    /// @return records dropped
    long evict() throws IOException {
        long before = records;
        while (bytes > maxBytes) {
            if (sealed.isEmpty()) seal();
            Sealed oldest = sealed.peekFirst();
            if (oldest == null) break;
            sealed.removeFirst();
            forget(oldest);
        }
        return before - records;
    }

    /// The oldest segment, to be given back by [#settled]. Empty when there is none or one is out already.
    Optional<Sealed> lease() throws IOException {
        if (leased != null) return Optional.empty();
        if (sealed.isEmpty()) seal();
        leased = sealed.pollFirst();
        return Optional.ofNullable(leased);
    }

    /// Removes the leased segment: every record of it has been dealt with.
    void settled() throws IOException {
        Sealed done = leased;
        leased = null;
        if (done != null) forget(done);
    }

    boolean isEmpty() {
        return records == 0;
    }

    /// Records on disk, those out on lease included.
    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        seal();
        lock.channel().close();
    }

    private void forget(Sealed segment) throws IOException {
        bytes -= segment.size();
        records -= segment.records();
        Segment.delete(segment.file());
    }

    private void add(Sealed segment) {
        sealed.addLast(segment);
        bytes += segment.size();
        records += segment.records();
    }

    private SegmentWriter writer() throws IOException {
        if (active != null) return active;
        SegmentWriter made = SegmentWriter.create(folder.resolve(String.format("%016d", nextNumber++) + SUFFIX));
        bytes += made.size();
        active = made;
        return made;
    }

    private void seal() throws IOException {
        SegmentWriter writer = active;
        if (writer == null) return;
        active = null;
        writer.close();
        if (writer.records() > 0) {
            sealed.addLast(new Sealed(writer.file(), writer.size(), writer.records()));
            return;
        }
        bytes -= writer.size();
        Segment.delete(writer.file());
    }

    private void reserve(int count) {
        if (frames.remaining() >= count) return;
        frames = ByteBuffer.allocate(Math.max(frames.capacity() * 2, frames.position() + count))
                .put(frames.flip());
    }

    private List<Path> segmentFiles() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> number(file) > 0).sorted().toList();
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        if (!name.endsWith(SUFFIX)) return 0;
        String digits = name.substring(0, name.length() - SUFFIX.length());
        return digits.matches("\\d{16}") ? Long.parseLong(digits) : 0;
    }

    private static FileLock lock(Path file) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) return lock;
        } catch (OverlappingFileLockException e) {
            log.debug("{} is locked by this process", file);
        }
        channel.close();
        throw new IOException("another gateway uses it");
    }
}
