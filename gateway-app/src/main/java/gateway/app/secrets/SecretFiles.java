package gateway.app.secrets;

import gateway.http.Secret;
import gateway.service.SecretUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of secret files, as Kubernetes and Docker mount one: a file is one secret in UTF-8, the line end after it
/// left out. Links may lead from place to place in it, never outside.
final class SecretFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFiles.class);
    private static final long MOST_BYTES = 64 * 1024;

    private final Optional<Path> folder;
    private final Map<String, String> seen = new ConcurrentHashMap<>(); // what files looked like, by name
    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    SecretFiles(Optional<Path> folder) {
        this.folder = folder;
    }

    /// @param name below the folder, without `..`
    /// @throws SecretUnavailableException when it is missing, unreadable, too large or writable by others
    Secret read(String name) {
        Path root = folder.orElseThrow(() -> new SecretUnavailableException("there is no folder of secrets"));
        seen.put(name, stamp(name));
        try {
            Path file = root.resolve(name).toRealPath();
            if (!file.startsWith(root.toRealPath())) {
                throw new SecretUnavailableException("the file leads out of the folder of secrets");
            }
            check(file);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            String value = withoutLineEnd(text);
            if (value.isEmpty()) throw new SecretUnavailableException("the file is empty");
            return new Secret(value);
        } catch (NoSuchFileException e) {
            throw new SecretUnavailableException("there is no such file in " + root, e);
        } catch (CharacterCodingException e) {
            throw new SecretUnavailableException("expected UTF-8", e);
        } catch (IOException e) {
            throw new SecretUnavailableException("the file cannot be read: " + e, e);
        }
    }

    /// Whether a file that was read looks otherwise now; asked again, only what has changed since.
    boolean changed() {
        boolean changed = false;
        for (Map.Entry<String, String> each : seen.entrySet()) {
            String now = stamp(each.getKey());
            if (each.getValue().equals(now)) continue;
            each.setValue(now);
            changed = true;
        }
        return changed;
    }

    private void check(Path file) throws IOException {
        if (!Files.isRegularFile(file)) throw new SecretUnavailableException("expected a file");
        long size = Files.size(file);
        if (size > MOST_BYTES) {
            throw new SecretUnavailableException("expected at most " + MOST_BYTES + " bytes, got " + size);
        }
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) return;
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new SecretUnavailableException("expected a file that others may not write (chmod o-w)");
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ) && warned.add(file)) {
            LOG.warn("others may read the secret {} (chmod o-r)", file);
        }
    }

    private String stamp(String name) {
        try {
            Path file = folder.orElseThrow().resolve(name);
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (IOException e) {
            return "gone";
        }
    }

    private static String withoutLineEnd(String text) {
        if (text.endsWith("\r\n")) return text.substring(0, text.length() - 2);
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
