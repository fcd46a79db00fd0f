package gateway.app.secrets;

import gateway.service.SecretUnavailableException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/// The way to a secret file from the root of the file system, link by link: who may write a folder on it may put
/// another file in the secret's place.
///
/// @param path absolute
record SecretFilePath(Path path) {
    private static final int MOST_LINKS = 40; // as Linux follows
    private static final int OTHERS_OR_GROUP_WRITE = 0022;
    private static final int STICKY = 01000;

    static SecretFilePath of(Path path) {
        return new SecretFilePath(path.toAbsolutePath());
    }

    /// Looks at each folder that is passed, as `StrictModes` of OpenSSH does. Folders with the sticky bit pass, as
    /// `/tmp` and the secrets that Kubernetes mounts have it: nobody puts there another file in the place of one.
    ///
    /// @throws SecretUnavailableException when others than its owner may write one
    void requireSafe() throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) return;
        Deque<Path> ahead = new ArrayDeque<>();
        path.forEach(ahead::addLast);
        Path here = path.getRoot();
        requireSafe(here);
        int links = 0;
        while (!ahead.isEmpty()) {
            Path next = here.resolve(ahead.removeFirst().toString()).normalize();
            if (Files.isSymbolicLink(next)) {
                if (++links > MOST_LINKS) throw new FileSystemException(path.toString(), null, "too many links");
                Path target = Files.readSymbolicLink(next);
                for (int i = target.getNameCount() - 1; i >= 0; i--) ahead.addFirst(target.getName(i));
                if (target.isAbsolute()) here = target.getRoot();
                continue;
            }
            here = next;
            if (Files.isDirectory(here)) requireSafe(here);
        }
    }

    private static void requireSafe(Path folder) throws IOException {
        int mode = (int) Files.getAttribute(folder, "unix:mode");
        if ((mode & OTHERS_OR_GROUP_WRITE) == 0 || (mode & STICKY) != 0) return;
        throw new SecretUnavailableException(
                "expected that only its owner may write the folder " + folder + " (chmod go-w)");
    }
}
