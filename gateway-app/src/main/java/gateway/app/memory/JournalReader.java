package gateway.app.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Reads a journal from its begin. An append that was under way when the process or the machine stopped is an end
/// without a line feed and is not read; whatever else is no line means that the file was damaged since, and is refused.
final class JournalReader {
    /// Takes each line in order, with the place where it begins.
    @FunctionalInterface
    interface Lines {
        void line(long offset, String text);
    }

    /// The whole lines of a journal; what follows them is an append that was under way.
    ///
    /// @param length how many bytes they are
    /// @param unended whether the last one lacks its line feed
    record Whole(long length, boolean unended) {
        static final Whole NOTHING = new Whole(0, false);
    }

    private final Path file;
    private final JournalBytes bytes;
    private final Lines lines;
    private int number;

    private JournalReader(Path file, JournalBytes bytes, Lines lines) {
        this.file = file;
        this.bytes = bytes;
        this.lines = lines;
    }

    /// @throws DataFolderException when the file is damaged
    static Whole read(Path file, Lines lines) throws IOException {
        try (var bytes = JournalBytes.open(file)) {
            return new JournalReader(file, bytes, lines).read();
        }
    }

    private Whole read() throws IOException {
        long begin = 0;
        for (long feed = bytes.lineFeed(0); feed < bytes.size(); feed = bytes.lineFeed(begin)) {
            take(begin, feed);
            begin = feed + 1;
        }
        if (bytes.isLine(begin, bytes.size())) {
            take(begin, bytes.size());
            return new Whole(bytes.size(), true);
        }
        number++;
        Optional<JournalFlaw> flaw = JournalFlaw.ofEnd(bytes, begin);
        if (flaw.isPresent()) refuse(begin, flaw.get());
        return new Whole(begin, false);
    }

    private void take(long begin, long end) throws IOException {
        number++;
        Optional<String> text = bytes.line(begin, end);
        if (text.isEmpty()) refuse(begin, JournalFlaw.ofLine(bytes, begin, end));
        try {
            lines.line(begin, text.orElseThrow());
        } catch (RuntimeException e) {
            refuse(begin, new JournalFlaw(0, String.valueOf(e.getMessage()).replace('\n', ' ')));
        }
    }

    private void refuse(long begin, JournalFlaw flaw) {
        throw new DataFolderException(file + " is damaged at line " + number + ", byte " + (begin + flaw.at()) + ": "
                + flaw.message() + "; restore it from a backup, or repair it as docs/stores.md tells under"
                + " \"A damaged journal\"");
    }
}
