package gateway.app.traffic;

import gateway.app.file.OwnerOnly;
import gateway.app.file.ProcessLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of a spill: segments numbered in the order they were begun, those put aside, and the lock that keeps
/// other processes out.
///
/// A segment's name is its number in 16 digits, so that names and numbers go together one to one. Whatever else lies
/// here is left alone.
final class SpillFolder implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(SpillFolder.class);
    private static final String SUFFIX = ".segment";
    private static final long HIGHEST = 9_999_999_999_999_999L;
    private static final long SCARCE = 9_000_000_000_000_000L; // from here on numbers might run out
    private static final Pattern NAME = Pattern.compile("(\\d{16})" + Pattern.quote(SUFFIX));
    private static final Pattern ASIDE = Pattern.compile(NAME + Pattern.quote(Quarantine.ENDING) + "(?:\\.\\d{1,9})?");

    private final Path folder;
    private final ProcessLock lock;
    private final ArrayDeque<PutAside> aside = new ArrayDeque<>();
    private long asideBytes;
    private long nextNumber = 1;

    /// A file that was a segment, or was taken for one.
    private record PutAside(Path file, long size) {}

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
        List<Path> files;
        try (var found = Files.list(folder)) {
            files = found.sorted().toList();
        }
        aside.clear();
        asideBytes = 0;
        for (Path file : files) {
            long number = number(file, ASIDE);
            if (number > 0 && number < SCARCE) nextNumber = Math.max(nextNumber, number + 1);
            if (number > 0 && Quarantine.isRegular(file)) remember(file);
            if (isForeign(file)) log.warn("{} has no segment's name, and is left alone", file);
        }
        return numbered(files.stream().filter(file -> number(file) > 0).toList());
    }

    /// The place of the next segment.
    ///
    /// @throws IOException when no number is left
    Path next() throws IOException {
        while (nextNumber <= HIGHEST) {
            Path place = place(nextNumber++);
            if (!Quarantine.isTaken(place)) return place;
        }
        throw new IOException("no number is left for a segment in " + folder);
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
    void setAside(Path segment, String reason) {
        try {
            Path moved = Quarantine.move(segment);
            if (Quarantine.isRegular(moved)) remember(moved);
            log.error("a segment is damaged and put aside as {}: {}", moved, reason);
        } catch (IOException e) {
            log.error("cannot read {} ({}), nor put it aside: {}", segment, reason, e.toString());
        }
    }

    /// Bytes of the files put aside, in earlier runs too.
    long asideBytes() {
        return asideBytes;
    }

    /// Removes the oldest file put aside; false when there is none.
    boolean removeAside() {
        PutAside oldest = aside.poll();
        if (oldest == null) return false;
        asideBytes -= oldest.size();
        log.warn("the spill is over its bound, {} goes, which was put aside", oldest.file());
        delete(oldest.file());
        return true;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private List<Path> numbered(List<Path> inOrder) throws IOException {
        List<Path> segments = inOrder;
        if (!segments.isEmpty() && number(segments.getLast()) >= SCARCE) segments = renumbered(segments);
        if (!segments.isEmpty()) nextNumber = Math.max(nextNumber, number(segments.getLast()) + 1);
        return segments;
    }

    /// Somebody put a file here whose number leaves few for those to come. From the oldest on, each takes the lowest
    /// number: none overtakes another, whenever this breaks off.
    private List<Path> renumbered(List<Path> inOrder) throws IOException {
        log.warn("the numbers of segments in {} come to an end, they begin again at 1", folder);
        List<Path> renumbered = new ArrayList<>();
        for (Path file : inOrder) {
            Path place = place(renumbered.size() + 1L);
            renumbered.add(file.equals(place) ? file : Files.move(file, place));
        }
        return renumbered;
    }

    private Path place(long number) {
        return folder.resolve(String.format("%016d", number) + SUFFIX);
    }

    private void remember(Path file) {
        long size = Spill.sizeOf(file);
        aside.add(new PutAside(file, size));
        asideBytes += size;
    }

    private static boolean isForeign(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX) && number(file) == 0;
    }

    private static long number(Path file, Pattern form) {
        Matcher name = form.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }
}
