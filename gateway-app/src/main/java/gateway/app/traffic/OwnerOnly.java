package gateway.app.traffic;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Files and folders made for nobody but the gateway's own user (modes 0600 and 0700), since records hold addresses and
/// bodies. What is there already keeps its mode, and so does everything on a file system without such modes.
final class OwnerOnly {
    private OwnerOnly() {}

    static void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder, mode(folder, "rwx------"));
    }

    static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, mode(file, "rw-------"));
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) return new FileAttribute<?>[0];
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
