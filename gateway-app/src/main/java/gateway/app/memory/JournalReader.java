package gateway.app.memory;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads a journal from its begin. What a crash left half written stands at the end and is not read; a line that is not
/// whole before one that is means that the file was damaged otherwise.
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
    private long whole;
    private int number;
    private int damaged;

    private JournalReader(Path file, Lines lines) {
        this.file = file;
        this.lines = lines;
    }

    /// @return up to where the file is whole
    /// @throws DataFolderException when it is damaged before that
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
        return whole;
    }

    private void collect(byte[] chunk, int from, int count) {
        if (line.length - length < count) line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
        System.arraycopy(chunk, from, line, length, count);
        length += count;
    }

    private void end() {
        number++;
        long begin = read;
        read += length + 1;
        Optional<String> text = JournalLine.decode(line, length);
        length = 0;
        if (text.isEmpty()) {
            if (damaged == 0) damaged = number;
            return;
        }
        if (damaged != 0) throw damage(damaged, "its checksum does not fit, though lines after it are whole", null);
        try {
            lines.line(begin, text.get());
        } catch (DataFolderException e) {
            throw e;
        } catch (RuntimeException e) {
            throw damage(number, "it cannot be understood", e);
        }
        whole = read;
    }

    private DataFolderException damage(int at, String why, @Nullable Exception cause) {
        return new DataFolderException(file + " is damaged at line " + at + ": " + why
                + (cause == null ? "" : " (" + cause.getMessage() + ")")
                + "; restore the file from a backup, or remove that line and lose what it says");
    }
}
