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
import java.util.Collection;
import java.util.HashMap;
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
    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    SecretFiles(Optional<Path> folder) {
        this.folder = folder;
    }

    /// @param name below the folder, without `..`
    /// @throws SecretUnavailableException when it is missing, unreadable, too large, or others may write it or a
    ///     folder on the way to it
    Secret read(String name) {
        Path root = folder.orElseThrow(() -> new SecretUnavailableException("there is no folder of secrets"));
        try {
            Path file = root.resolve(name).toRealPath();
            if (!file.startsWith(root.toRealPath())) {
                throw new SecretUnavailableException("the file leads out of the folder of secrets");
            }
            check(file);
            SecretFilePath.of(root.resolve(name)).requireSafe();
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            String value = withoutLineEnd(text);
            if (value.isEmpty()) throw new SecretUnavailableException("the file is empty");
            return new Secret(value);
        } catch (NoSuchFileException e) {
            throw new SecretUnavailableException("there is no such file", e);
        } catch (CharacterCodingException e) {
            throw new SecretUnavailableException("expected UTF-8", e);
        } catch (IOException e) {
            throw new SecretUnavailableException("the file cannot be read: " + e, e);
        }
    }

    /// What the files of these names look like now: equal as long as none of them was changed, replaced or removed.
    Map<String, String> stamps(Collection<String> names) {
        var stamps = new HashMap<String, String>();
        for (String name : names) stamps.put(name, stamp(name));
        return stamps;
    }

    private void check(Path file) throws IOException {
        if (!Files.isRegularFile(file)) throw new SecretUnavailableException("expected a file");
        long size = Files.size(file);
        if (size > MOST_BYTES) {
            throw new SecretUnavailableException("expected at most " + MOST_BYTES + " bytes, got " + size);
        }
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) return;
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE) || mode.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new SecretUnavailableException("expected a file that only its owner may write (chmod go-w)");
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ) && warned.add(file)) {
            LOG.warn("others may read the secret {} (chmod o-r)", file);
        }
    }

    private String stamp(String name) {
        try {
            if (folder.isEmpty()) return "no folder";
            Path file = folder.get().resolve(name);
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
