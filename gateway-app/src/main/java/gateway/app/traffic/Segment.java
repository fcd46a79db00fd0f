package gateway.app.traffic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.zip.CRC32C;

/// The form of a spilled segment: a magic number, then for each record its length, its CRC-32C and its bytes.
///
/// A file that broke off anywhere still gives every record before the break, and a damaged one those on both sides of
/// the damage ([SegmentRecords]).
final class Segment {
    static final int HEADER = Long.BYTES;
    static final int FRAME = 2 * Integer.BYTES;
    private static final long MAGIC = 0x67772d6c6f672d31L; // "gw-log-1"

    private Segment() {}

    static ByteBuffer header() {
        return ByteBuffer.allocate(HEADER).putLong(MAGIC).flip();
    }

    /// Bytes that a record of `length` bytes takes.
    static int framed(int length) {
        return FRAME + length;
    }

    static void frame(byte[] from, int start, int length, ByteBuffer to) {
        to.putInt(length).putInt(checksum(from, start, length)).put(from, start, length);
    }

    /// What a file holds.
    ///
    /// @param damaged gaps in it, each of one damaged record or more
    record Count(int records, int damaged) {}

    /// Adds every sound record of `file` to `batch`.
    ///
    /// @return whether the file was sound to its end
    /// @throws IOException when it cannot be read or is something else
    @SuppressWarnings("ByteBufferBackingArray") // allocated by content()
    static boolean read(Path file, Batch batch, long nowNanos) throws IOException {
        ByteBuffer content = content(file);
        if (isEmpty(content, file)) return false;
        var records = new SegmentRecords(content);
        for (int length = records.next(); length > 0; length = records.next()) {
            batch.json().raw(content.array(), content.position(), length);
            batch.close(nowNanos);
            content.position(content.position() + length);
        }
        return records.damaged() == 0 && !records.isTorn();
    }

    /// How many records of `file` are sound and how many are not. One that breaks off at the end is neither: its
    /// writing was under way when the process ended, and nobody was told that it was there.
    ///
    /// @throws IOException when it cannot be read or is something else
    static Count count(Path file) throws IOException {
        ByteBuffer content = content(file);
        if (isEmpty(content, file)) return new Count(0, 0);
        var records = new SegmentRecords(content);
        int count = 0;
        for (int length = records.next(); length > 0; length = records.next()) {
            content.position(content.position() + length);
            count++;
        }
        return new Count(count, records.damaged());
    }

    /// Moves past the head of the file.
    private static boolean isEmpty(ByteBuffer content, Path file) throws IOException {
        if (content.remaining() < HEADER) return true;
        if (content.getLong() != MAGIC) throw new IOException(file + " does not begin as a segment does");
        return false;
    }

    static int checksum(byte[] from, int start, int length) {
        var crc = new CRC32C();
        crc.update(from, start, length);
        return (int) crc.getValue();
    }

    private static ByteBuffer content(Path file) throws IOException {
        BasicFileAttributes kind = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!kind.isRegularFile()) throw new IOException(file + " is no regular file"); // a pipe would never open
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(channel.size(), Integer.MAX_VALUE - 8));
            while (content.hasRemaining() && channel.read(content) >= 0) {}
            return content.flip();
        }
    }

    static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
