package gateway.app.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The bytes of a journal, of which one window is in memory: however long a line seems to be, it takes memory only once
/// its checksum has shown that it was written like that.
final class JournalBytes implements AutoCloseable {
    private final RandomAccessFile file;
    private final long size;
    private final byte[] window = new byte[1 << 16];
    private long begin; // of the window in the file
    private int held;

    private JournalBytes(RandomAccessFile file, long size) {
        this.file = file;
        this.size = size;
    }

    /// The bytes that `path` has now.
    static JournalBytes open(Path path) throws IOException {
        var file = new RandomAccessFile(path.toFile(), "r");
        try {
            return new JournalBytes(file, file.length());
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    long size() {
        return size;
    }

    byte at(long place) throws IOException {
        return window[hold(place)];
    }

    /// Where the next line feed is, the file's size when there is none.
    long lineFeed(long from) throws IOException {
        for (long place = from; place < size; place = begin + held) {
            for (int i = hold(place); i < held; i++) if (window[i] == '\n') return begin + i;
        }
        return size;
    }

    /// Where the zeros begin that go on to the file's end, its size when there are none.
    long zeros(long from) throws IOException {
        long zeros = from;
        for (long place = from; place < size; place = begin + held) {
            for (int i = hold(place); i < held; i++) if (window[i] != 0) zeros = begin + i + 1;
        }
        return zeros;
    }

    /// The checksum as a line's head says it.
    String checksum(long from, long to) throws IOException {
        var checksum = new CRC32C();
        for (long place = from; place < to; place = begin + held) {
            int first = hold(place);
            checksum.update(window, first, (int) Math.min(held - first, to - place));
        }
        return JournalLine.hex(checksum);
    }

    /// Whether the bytes are a line, but for its line feed.
    boolean isLine(long from, long to) throws IOException {
        if (to - from < JournalLine.HEAD) return false;
        long text = from + JournalLine.HEAD;
        return text(from, text).equals(checksum(text, to) + " ");
    }

    /// The text of a line without its line feed; empty when the checksum says that it is none.
    Optional<String> line(long from, long to) throws IOException {
        return isLine(from, to) ? Optional.of(text(from + JournalLine.HEAD, to)) : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private String text(long from, long to) throws IOException {
        byte[] text = new byte[Math.toIntExact(to - from)];
        file.seek(from);
        file.readFully(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /// Has the byte at `place` in the window.
    ///
    /// @return where it is there
    private int hold(long place) throws IOException {
        if (place < begin || place >= begin + held) {
            held = 0;
            int count = (int) Math.min(window.length, size - place);
            file.seek(place);
            file.readFully(window, 0, count);
            begin = place;
            held = count;
        }
        return (int) (place - begin);
    }
}
