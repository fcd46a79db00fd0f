package gateway.app.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// The whole lines of a file, last to first, read a piece at a time.
final class LinesFromEnd implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final RandomAccessFile file;
    private byte[] held = new byte[0]; // what was read and not yet given out
    private long begin; // where it begins in the file

    private LinesFromEnd(RandomAccessFile file, long length) {
        this.file = file;
        this.begin = length;
    }

    /// @param length how much of the file to look at; ends with a line feed
    static LinesFromEnd of(Path path, long length) throws IOException {
        return new LinesFromEnd(new RandomAccessFile(path.toFile(), "r"), length);
    }

    /// The line before the one given last, without its line feed; empty at the begin of the file.
    Optional<String> next() throws IOException {
        int end = held.length - 1;
        int start = startOf(end);
        while (start < 0 && begin > 0) {
            readMore();
            end = held.length - 1;
            start = startOf(end);
        }
        if (end < 0) return Optional.empty();
        int from = Math.max(start, 0);
        var line = new String(held, from, end - from, StandardCharsets.UTF_8);
        held = Arrays.copyOf(held, from);
        return Optional.of(line);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private int startOf(int end) {
        for (int i = end - 1; i >= 0; i--) {
            if (held[i] == '\n') return i + 1;
        }
        return -1;
    }

    private void readMore() throws IOException {
        int count = (int) Math.min(PIECE, begin);
        byte[] more = new byte[count + held.length];
        begin -= count;
        file.seek(begin);
        file.readFully(more, 0, count);
        System.arraycopy(held, 0, more, count, held.length);
        held = more;
    }
}
