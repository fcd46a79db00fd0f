package gateway.app.traffic;

import gateway.app.file.OwnerOnly;
import gateway.app.file.ProcessLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of a spill: segments numbered in the order they were begun, those put aside, and the lock that keeps
/// other processes out.
final class SpillFolder implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(SpillFolder.class);
    private static final String SUFFIX = ".segment";
    private static final String ASIDE = ".unreadable";
    private static final Pattern NAME = Pattern.compile("(\\d{16,18})" + Pattern.quote(SUFFIX));
    private static final Pattern ANY_NAME = Pattern.compile(NAME + "(" + Pattern.quote(ASIDE) + ")?");

    private final Path folder;
    private final ProcessLock lock;
    private long nextNumber = 1;

    private SpillFolder(Path folder, ProcessLock lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// @throws IOException when it cannot be used or another process uses it
    static SpillFolder open(Path folder) throws IOException {
        OwnerOnly.createFolders(folder);
        return new SpillFolder(folder, ProcessLock.take(folder.resolve("lock")));
    }

    /// The segments that are there, oldest first. Those made from now on are younger.
    List<Path> segments() throws IOException {
        try (var files = Files.list(folder)) {
            List<Path> known = files.filter(file -> number(file, ANY_NAME) > 0).toList();
            for (Path file : known) nextNumber = Math.max(nextNumber, number(file, ANY_NAME) + 1);
            return known.stream()
                    .filter(file -> number(file) > 0)
                    .sorted(Comparator.comparingLong(SpillFolder::number))
                    .toList();
        }
    }

    /// The place of the next segment.
    Path next() {
        return folder.resolve(String.format("%016d", nextNumber++) + SUFFIX);
    }

    /// A segment's place in the order; 0 when `file` is none.
    static long number(Path file) {
        return number(file, NAME);
    }

    /// What cannot be removed is found again at the next start.
    static void delete(Path segment) {
        try {
            Segment.delete(segment);
        } catch (IOException e) {
            log.warn("cannot remove a segment: {}", e.toString());
        }
    }

    /// Gives it a name that is no segment's, for people to look at.
    static void setAside(Path segment, String reason) {
        Path aside = segment.resolveSibling(segment.getFileName() + ASIDE);
        try {
            Files.move(segment, aside);
            log.error("a segment cannot be read, it is now {}: {}", aside, reason);
        } catch (IOException e) {
            log.error("cannot read {} ({}), nor put it aside: {}", segment, reason, e.toString());
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private static long number(Path file, Pattern form) {
        Matcher name = form.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }
}
