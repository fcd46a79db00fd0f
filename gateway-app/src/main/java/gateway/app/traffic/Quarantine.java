package gateway.app.traffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts files out of the way that stand where the traffic log's own belong, for people to look at. Nothing is opened
/// for that: opening a pipe may take for ever.
final class Quarantine {
    static final String ENDING = ".unreadable";
    private static final Logger log = LoggerFactory.getLogger(Quarantine.class);

    private Quarantine() {}

    /// Whether `file` is there and is neither folder, link, pipe nor device.
    static boolean isRegular(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Whether the name is taken, be it by a link that leads nowhere.
    static boolean isTaken(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Makes room at `place` where something other than a file is.
    static void makeRoom(Path place) throws IOException {
        if (isRegular(place) || !isTaken(place)) return;
        Path aside = move(place);
        log.warn("{} was no regular file, it is now {}", place, aside);
    }

    /// Gives `file` a name beside it that is free: with `.unreadable` behind it, or `.unreadable.2` and so on.
    ///
    /// @return its place now
    static Path move(Path file) throws IOException {
        Path first = file.resolveSibling(file.getFileName() + ENDING);
        Path free = first;
        for (int i = 2; isTaken(free); i++) free = first.resolveSibling(first.getFileName() + "." + i);
        return Files.move(file, free);
    }
}
