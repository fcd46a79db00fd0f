package gateway.app.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Keeps two gateways from writing to one place, in one process or in two. The operating system lets go of it when the
/// process ends, however it ends.
public final class ProcessLock implements Closeable {
    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /// @param file made where it is missing; it stays, and is empty
    /// @throws IOException when another gateway holds it, or it cannot be made
    public static ProcessLock take(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) throw new IOException(file + " is no regular file");
        var channel = OwnerOnly.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        if (isTaken(channel)) return new ProcessLock(channel);
        channel.close();
        throw new IOException("another gateway uses it");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // by this process
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}
