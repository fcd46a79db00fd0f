package gateway.app.memory;

import gateway.service.Contents;
import gateway.service.DependencyException;
import gateway.service.ResourceDocument;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Contents in the folder `contents`, one a file that is called as its digest. Where nothing can be
/// written, those of this process's life are held in memory.
final class FileContents implements Contents {
    private static final Logger LOG = LoggerFactory.getLogger(FileContents.class);

    private final Path folder;
    private final Map<String, byte[]> held = new ConcurrentHashMap<>(); // while nothing can be written

    /// @param data has the folder, which is made with the first content
    FileContents(Path data) {
        this.folder = data.resolve("contents");
    }

    @Override
    public Optional<byte[]> find(String sha256) {
        byte[] inMemory = held.get(sha256);
        if (inMemory != null) return Optional.of(inMemory.clone());
        try {
            byte[] content = Files.readAllBytes(folder.resolve(sha256));
            if (ResourceDocument.digest(content).equals(sha256)) return Optional.of(content);
            LOG.error("{} is damaged: it is not what its name says", folder.resolve(sha256));
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot read a resource (" + e + ")", e);
        }
    }

    @Override
    public void keep(byte[] content) {
        String sha256 = ResourceDocument.digest(content);
        if (find(sha256).isPresent()) return;
        if (!Files.isWritable(Files.isDirectory(folder) ? folder : DurableFiles.parent(folder))) {
            held.put(sha256, content.clone());
            return;
        }
        try {
            if (!Files.isDirectory(folder)) {
                DurableFiles.createFolder(folder);
                DurableFiles.syncFolder(DurableFiles.parent(folder));
            }
            DurableFiles.write(folder.resolve(sha256), content);
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot write a resource (" + e + ")", e);
        }
    }

    /// Removes what nothing names: left by writes that were refused or cut off.
    ///
    /// @param named digests that documents or revisions name
    void collect(Set<String> named) throws IOException {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) return;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!named.contains(String.valueOf(file.getFileName()))) Files.delete(file);
            }
        }
    }
}
