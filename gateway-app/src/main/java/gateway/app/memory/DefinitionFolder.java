package gateway.app.memory;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.Contents;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The folder of one kind of documents, such as `apis`: one a file. There may be none as long as there are
/// no documents of its kind. Anything but files named `*.json` is let be, but for resources, whose files
/// are their contents, as are names that begin with a dot; but a folder in the place of a document that is known
/// is told. Links are followed, as Kubernetes mounts need it. Not for several threads at once.
final class DefinitionFolder {
    private final DocumentKind kind;
    private final Path folder;
    private final EpochClock clock;
    private final FoundDocument found;
    private final Contents contents;
    private final String suffix; // of what its files are called behind the id
    private Map<String, DefinitionFile> files = new HashMap<>(); // by id

    /// @param data has the folder, which is called as its kind, or the file `global.json`
    DefinitionFolder(DocumentKind kind, Path data, EpochClock clock, FoundDocument found, Contents contents) {
        this.kind = kind;
        this.found = found;
        this.contents = contents;
        this.suffix = DefinitionFile.suffix(kind);
        this.folder = kind == DocumentKind.GLOBAL ? data : data.resolve(kind.text());
        this.clock = clock;
    }

    boolean writable() {
        return Files.isWritable(exists() ? folder : DurableFiles.parent(folder));
    }

    private boolean exists() {
        return Files.isDirectory(folder);
    }

    /// Reads what changed since the last scan.
    ///
    /// @param known the texts last known
    /// @param texts gains every text
    /// @param problems gains those of every file that is no document; nothing is taken over then
    void scan(Map<DocumentId, String> known, Map<DocumentId, String> texts, List<ConfigProblem> problems)
            throws IOException {
        var found = new HashMap<String, DefinitionFile>();
        int before = problems.size();
        if (exists()) read(known, found, problems);
        found.forEach((id, file) -> texts.put(new DocumentId(kind, id), file.text()));
        if (problems.size() == before) files = found;
    }

    private void read(Map<DocumentId, String> known, Map<String, DefinitionFile> found, List<ConfigProblem> problems)
            throws IOException {
        try (var paths = Files.newDirectoryStream(folder, this::isDefinition)) {
            for (Path path : paths) {
                try {
                    read(path, known).ifPresent(file -> found.put(file.id(), file));
                } catch (InvalidConfigException e) {
                    problems.addAll(e.problems());
                }
            }
        }
    }

    /// What stands in the file of `id` now, though it is not JSON.
    Optional<String> current(String id) throws IOException {
        Path path = path(id);
        try {
            var stamp = Stamp.of(path, clock.nanos());
            if (!stamp.isFile()) return Optional.empty();
            DefinitionFile file = files.get(id);
            if (file != null && file.stamp().vouchesFor(stamp)) return Optional.of(file.text());
            return Optional.of(DefinitionFile.read(
                            kind, path, stamp, Optional.ofNullable(file).map(DefinitionFile::text), found, contents)
                    .text());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Writes a new text beside the file it will replace, and makes the folder when there is none.
    ///
    /// @return what [#replace] puts in place
    Path stage(String id, String text) throws IOException {
        if (!exists()) {
            DurableFiles.createFolder(folder);
            DurableFiles.syncFolder(DurableFiles.parent(folder));
        }
        return DurableFiles.stage(path(id), content(text));
    }

    /// What stands in the file of a document.
    private byte[] content(String text) {
        if (kind != DocumentKind.RESOURCES) return text.getBytes(StandardCharsets.UTF_8);
        String sha256 = ResourceDocument.read(text).sha256();
        return contents.find(sha256)
                .orElseThrow(() -> new DependencyException("data folder", "the content " + sha256 + " is lost"));
    }

    /// Puts a staged text in its place; durable after [#sync].
    void replace(String id, String text, Path staged) throws IOException {
        Path path = path(id);
        DurableFiles.replace(staged, path);
        files.put(id, new DefinitionFile(id, text, Stamp.of(path, clock.nanos())));
    }

    /// Removes a file; durable after [#sync].
    void remove(String id) throws IOException {
        Files.deleteIfExists(path(id));
        files.remove(id);
    }

    /// Makes what was replaced and removed durable.
    void sync() throws IOException {
        if (exists()) DurableFiles.syncFolder(folder);
    }

    /// Removes what a crash left of [#stage].
    void removeStaged() throws IOException {
        if (!exists() || !writable()) return;
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "." + stem() + suffix + ".tmp")) {
            for (Path file : left) Files.delete(file);
        }
    }

    private Optional<DefinitionFile> read(Path path, Map<DocumentId, String> known) throws IOException {
        String name = String.valueOf(path.getFileName());
        String id = name.substring(0, name.length() - suffix.length());
        Stamp stamp = stamp(path);
        DefinitionFile before = files.get(id);
        if (!stamp.isFile()) {
            if (before == null && !known.containsKey(new DocumentId(kind, id))) return Optional.empty();
            throw new InvalidConfigException(
                    new DocumentId(kind, name).pointer(), "expected a file, got a folder or something else");
        }
        if (before != null && before.stamp().vouchesFor(stamp)) return Optional.of(before);
        return Optional.of(DefinitionFile.read(
                kind, path, stamp, Optional.ofNullable(known.get(new DocumentId(kind, id))), found, contents));
    }

    private Stamp stamp(Path path) {
        try {
            return Stamp.of(path, clock.nanos());
        } catch (IOException e) {
            String name = String.valueOf(path.getFileName());
            throw new InvalidConfigException(new DocumentId(kind, name).pointer(), "cannot be read: " + e);
        }
    }

    private Path path(String id) {
        return folder.resolve(id + suffix);
    }

    /// Of what its files are called before `.json`; `*` is anything.
    private String stem() {
        return kind == DocumentKind.GLOBAL ? DocumentId.GLOBAL.id() : "*";
    }

    private boolean isDefinition(Path path) {
        String name = String.valueOf(path.getFileName());
        if (kind == DocumentKind.GLOBAL) return name.equals(DocumentId.GLOBAL.id() + suffix);
        return DefinitionFile.isNamed(kind, name);
    }
}
