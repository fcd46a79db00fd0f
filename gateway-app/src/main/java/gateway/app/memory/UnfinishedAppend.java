package gateway.app.memory;

import gateway.app.file.OwnerOnly;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of a file that an append left when the process or the machine stopped while it was under way.
final class UnfinishedAppend {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedAppend.class);

    private UnfinishedAppend() {}

    /// Cuts `file` to its first `whole` bytes; what follows is first kept beside it, as people may have reason to look.
    ///
    /// @param output `file`, open to be written to
    static void cut(Path file, RandomAccessFile output, long whole) throws IOException {
        Path copy = free(file);
        try (var to = OwnerOnly.open(copy, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            copy(file, whole, to);
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
        DurableFiles.syncFolder(DurableFiles.parent(file));
        LOG.warn(
                "{}: cut off {} bytes from byte {} on, where an append was under way; they are kept in {}",
                file,
                output.length() - whole,
                whole,
                copy);
        output.setLength(whole);
        output.getFD().sync();
    }

    private static void copy(Path file, long begin, FileChannel to) throws IOException {
        try (var from = FileChannel.open(file, StandardOpenOption.READ)) {
            from.position(begin);
            Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
            to.force(true);
        }
    }

    /// A name beside `file` that nothing has yet: with `.cut` behind it, or `.cut.2` and so on.
    private static Path free(Path file) {
        Path first = file.resolveSibling(file.getFileName() + ".cut");
        Path free = first;
        for (int i = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); i++) {
            free = first.resolveSibling(first.getFileName() + "." + i);
        }
        return free;
    }
}
