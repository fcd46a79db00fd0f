package gateway.app.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/// What tells, without reading a file, that it is still the one that was read: its inode, size and time of change.
///
/// @param settled whether the file was old enough when looked at that a later change must show in its time
record Stamp(String inode, long size, long modifiedNanos, boolean settled) {
    private static final long TIME_GRAIN = 2_000_000_000L;

    /// The stamp of a file or of what a link points to; of anything else than a regular file one that equals no other.
    static Stamp of(Path file, long now) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        long modified = EpochClock.nanos(attributes.lastModifiedTime().toInstant());
        if (!attributes.isRegularFile()) return new Stamp("", -1, modified, false);
        return new Stamp(
                Objects.toString(attributes.fileKey()), attributes.size(), modified, now - modified > TIME_GRAIN);
    }

    boolean isFile() {
        return size >= 0;
    }

    /// Whether a file read under this stamp need not be read again under `current`.
    boolean vouchesFor(Stamp current) {
        return settled && inode.equals(current.inode) && size == current.size && modifiedNanos == current.modifiedNanos;
    }
}
