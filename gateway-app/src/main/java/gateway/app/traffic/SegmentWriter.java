package gateway.app.traffic;

import gateway.app.file.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// The segment that records are being appended to.
final class SegmentWriter implements Closeable {
    private final Path file;
    private final FileChannel channel;
    private long size;
    private int records;

    private SegmentWriter(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// The head goes to the disk with the first frames: forcing takes longer than everything else here.
    static SegmentWriter create(Path file) throws IOException {
        var channel = OwnerOnly.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        var writer = new SegmentWriter(file, channel);
        try {
            writer.write(Segment.header(), false);
        } catch (IOException e) {
            channel.close();
            Segment.delete(file);
            throw e;
        }
        return writer;
    }

    /// Appends whole frames and forces them to the disk: all of them, or none when it throws.
    void append(ByteBuffer frames, int count) throws IOException {
        write(frames, true);
        records += count;
    }

    Path file() {
        return file;
    }

    long size() {
        return size;
    }

    int records() {
        return records;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void write(ByteBuffer bytes, boolean forced) throws IOException {
        long at = size;
        try {
            while (bytes.hasRemaining()) at += channel.write(bytes, at);
            if (forced) channel.force(false);
            size = at;
        } catch (IOException e) {
            channel.truncate(size);
            throw e;
        }
    }
}
