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
/// the damage, be it in the magic number ([SegmentRecords]).
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

    /// What a file holds. One record that breaks off at its end is neither sound nor damaged: its writing was under way
    /// when the process ended, and nobody was told that it was there.
    ///
    /// @param records that are sound
    /// @param damaged records that are not, at least so many
    /// @param damagedBytes theirs
    /// @param torn whether it breaks off
    record Count(int records, int damaged, int damagedBytes, boolean torn) {
        boolean isSound() {
            return damaged == 0 && !torn;
        }

        /// In words.
        String text() {
            String sound = records + " records are sound";
            String others = damaged == 0 ? "" : ", at least " + damaged + " damaged (" + damagedBytes + " bytes)";
            return sound + others + (torn ? ", and it breaks off within another" : "");
        }
    }

    /// Adds every sound record of `file` to `batch`.
    ///
    /// @throws IOException when it cannot be read
    @SuppressWarnings("ByteBufferBackingArray") // allocated by content()
    static Count read(Path file, Batch batch, long nowNanos) throws IOException {
        return each(file, (content, length) -> {
            batch.json().raw(content.array(), content.position(), length);
            batch.close(nowNanos);
        });
    }

    /// @throws IOException when it cannot be read
    static Count count(Path file) throws IOException {
        return each(file, (content, length) -> {});
    }

    /// Takes a record, from the position of `content` on.
    private interface Taking {
        void take(ByteBuffer content, int length);
    }

    private static Count each(Path file, Taking taking) throws IOException {
        ByteBuffer content = content(file);
        var records = new SegmentRecords(content);
        int count = 0;
        for (int length = records.next(); length > 0; length = records.next()) {
            int at = content.position();
            taking.take(content, length);
            content.position(at + length);
            count++;
        }
        return new Count(count, records.damaged(), records.damagedBytes(), records.isTorn());
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
