package gateway.app.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Files and folders made for nobody but the gateway's own user (modes 0600 and 0700): they hold keys, callers and
/// bodies. What is there already keeps its mode, and so does everything on a file system without such modes.
public final class OwnerOnly {
    private OwnerOnly() {}

    /// Makes `folder` and those above it that are missing.
    public static void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder, mode(folder, "rwx------"));
    }

    /// Makes an empty file.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException when there is one
    public static void createFile(Path file) throws IOException {
        Files.createFile(file, mode(file, "rw-------"));
    }

    /// Makes an empty file in `folder` with a name that nobody knows beforehand.
    public static Path createTempFile(Path folder, String prefix, String suffix) throws IOException {
        return Files.createTempFile(folder, prefix, suffix, mode(folder, "rw-------"));
    }

    /// Opens `file`, which `options` may make.
    public static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, mode(file, "rw-------"));
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) return new FileAttribute<?>[0];
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
