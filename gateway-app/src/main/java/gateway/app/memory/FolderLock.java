package gateway.app.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Keeps two processes from writing to one data folder. The operating system lets go of it when the process
/// ends, however it ends.
final class FolderLock implements AutoCloseable {
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws DataFolderException when another process, or another store in this one, holds the folder
    static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve("lock");
        DurableFiles.createFile(file);
        var channel = FileChannel.open(file, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new DataFolderException("data folder " + folder + " is in use by another gateway (process "
                    + Files.readString(file).strip() + "); stop it or choose another folder");
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
        return new FolderLock(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }
}
