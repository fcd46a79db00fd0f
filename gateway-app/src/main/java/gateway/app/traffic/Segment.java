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
/// A file that broke off anywhere still gives every record before the break: reading stops at the first one that is
/// short or does not match its checksum.
final class Segment {
    static final int HEADER = Long.BYTES;
    static final int FRAME = 2 * Integer.BYTES;
    private static final long MAGIC = 0x67772d6c6f672d31L; // "gw-log-1"
    private static final int LONGEST_RECORD = 64 << 20;

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

    /// Adds every sound record of `file` to `batch`.
    ///
    /// @return whether the file was sound to its end
    /// @throws IOException when it cannot be read or is something else
    @SuppressWarnings("ByteBufferBackingArray") // allocated by content()
    static boolean read(Path file, Batch batch, long nowNanos) throws IOException {
        ByteBuffer content = content(file);
        if (isEmpty(content, file)) return false;
        while (content.hasRemaining()) {
            int length = soundLength(content);
            if (length < 0) return false;
            batch.json().raw(content.array(), content.position(), length);
            batch.close(nowNanos);
            content.position(content.position() + length);
        }
        return true;
    }

    /// The sound records of `file`.
    ///
    /// @throws IOException when it cannot be read or is something else
    static int count(Path file) throws IOException {
        ByteBuffer content = content(file);
        if (isEmpty(content, file)) return 0;
        int count = 0;
        while (content.hasRemaining()) {
            int length = soundLength(content);
            if (length < 0) return count;
            content.position(content.position() + length);
            count++;
        }
        return count;
    }

    /// Moves past the head of the file.
    private static boolean isEmpty(ByteBuffer content, Path file) throws IOException {
        if (content.remaining() < HEADER) return true;
        if (content.getLong() != MAGIC) throw new IOException(file + " does not begin as a segment does");
        return false;
    }

    /// Moves past the next frame's head; negative when the record is not whole.
    @SuppressWarnings("ByteBufferBackingArray") // allocated by content()
    private static int soundLength(ByteBuffer content) {
        if (content.remaining() < FRAME) return -1;
        int length = content.getInt();
        int checksum = content.getInt();
        if (length < 1 || length > LONGEST_RECORD || length > content.remaining()) return -1;
        return checksum(content.array(), content.position(), length) == checksum ? length : -1;
    }

    private static int checksum(byte[] from, int start, int length) {
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
