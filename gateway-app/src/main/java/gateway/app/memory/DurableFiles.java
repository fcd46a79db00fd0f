package gateway.app.memory;

import gateway.app.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Files that survive a crash and that only their owner reads: mode 0600, folders 0700.
final class DurableFiles {
    private DurableFiles() {}

    static void createFolder(Path folder) throws IOException {
        OwnerOnly.createFolders(folder);
    }

    /// Makes an empty file unless there is one.
    static void createFile(Path file) throws IOException {
        if (Files.exists(file)) return;
        try {
            OwnerOnly.createFile(file);
            syncFolder(parent(file));
        } catch (FileAlreadyExistsException e) {
            // as good
        }
    }

    /// Writes a file of its own beside `target` that [#replace] then puts in its place.
    static Path stage(Path target, byte[] content) throws IOException {
        Path staged = target.resolveSibling("." + target.getFileName() + ".tmp");
        Files.deleteIfExists(staged);
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = OwnerOnly.open(staged, options)) {
            var bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) channel.write(bytes);
            channel.force(true);
        }
        return staged;
    }

    /// Puts a staged file in the place of `target`; durable after [#syncFolder].
    static void replace(Path staged, Path target) throws IOException {
        Files.move(staged, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void write(Path target, byte[] content) throws IOException {
        replace(stage(target, content), target);
        syncFolder(parent(target));
    }

    /// Makes the names in a folder durable.
    static void syncFolder(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static Path parent(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) throw new IllegalArgumentException(file + " is no file");
        return parent;
    }
}
