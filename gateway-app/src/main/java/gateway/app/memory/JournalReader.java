package gateway.app.memory;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// Reads a journal from its begin. An append that was under way when the process or the machine stopped is an end
/// without
/// a line feed and is not read; whatever else is no line means that the file was damaged since, and is refused.
final class JournalReader {
    /// Takes each line in order, with the place where it begins.
    @FunctionalInterface
    interface Lines {
        void line(long offset, String text);
    }

    private final Path file;
    private final Lines lines;
    private byte[] line = new byte[4096];
    private int length;
    private long read;
    private int number;

    private JournalReader(Path file, Lines lines) {
        this.file = file;
        this.lines = lines;
    }

    /// @return up to where the file holds whole lines; what follows is an append that was under way
    /// @throws DataFolderException when it is damaged
    static long read(Path file, Lines lines) throws IOException {
        try (var input = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            return new JournalReader(file, lines).read(input);
        }
    }

    private long read(InputStream input) throws IOException {
        byte[] chunk = new byte[1 << 16];
        for (int count = input.read(chunk); count >= 0; count = input.read(chunk)) {
            int begin = 0;
            for (int i = 0; i < count; i++) {
                if (chunk[i] != '\n') continue;
                collect(chunk, begin, i - begin);
                end();
                begin = i + 1;
            }
            collect(chunk, begin, count - begin);
        }
        number++;
        JournalFlaw.ofEnd(line, length).ifPresent(flaw -> refuse(read, flaw));
        return read;
    }

    private void collect(byte[] chunk, int from, int count) {
        if (line.length - length < count) line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
        System.arraycopy(chunk, from, line, length, count);
        length += count;
    }

    private void end() {
        number++;
        Optional<String> text = JournalLine.decode(line, length);
        if (text.isEmpty()) refuse(read, JournalFlaw.ofLine(line, length));
        try {
            lines.line(read, text.orElseThrow());
        } catch (RuntimeException e) {
            refuse(read, new JournalFlaw(0, String.valueOf(e.getMessage()).replace('\n', ' ')));
        }
        read += length + 1;
        length = 0;
    }

    private void refuse(long begin, JournalFlaw flaw) {
        throw new DataFolderException(file + " is damaged at line " + number + ", byte " + (begin + flaw.at()) + ": "
                + flaw.message() + "; restore it from a backup, or repair it as docs/stores.md tells under"
                + " \"A damaged journal\"");
    }
}
