package gateway.app.memory;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DefinitionChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The folder `apis`: one definition a file. Anything but files named `*.json` is let be, as are names that
/// begin with a dot; links are followed, as Kubernetes mounts need it. Not for several threads at once.
final class DefinitionFolder {
    private final Path folder;
    private final EpochClock clock;
    private Map<String, DefinitionFile> files = new HashMap<>(); // by id

    DefinitionFolder(Path folder, EpochClock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    boolean writable() {
        return Files.isWritable(folder);
    }

    /// Reads what changed since the last scan.
    ///
    /// @param known the texts last known by id
    /// @return every text by id
    /// @throws InvalidConfigException with every file that is no definition; nothing is taken over then
    Map<String, String> scan(Map<String, String> known) throws IOException {
        var found = new HashMap<String, DefinitionFile>();
        var problems = new ArrayList<ConfigProblem>();
        try (var paths = Files.newDirectoryStream(folder, DefinitionFolder::isDefinition)) {
            for (Path path : paths) {
                try {
                    read(path, known).ifPresent(file -> found.put(file.id(), file));
                } catch (InvalidConfigException e) {
                    problems.addAll(e.problems());
                }
            }
        }
        problems.sort(Comparator.comparing(ConfigProblem::pointer));
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        files = found;
        var texts = new HashMap<String, String>(found.size() * 2);
        found.forEach((id, file) -> texts.put(id, file.text()));
        return texts;
    }

    /// What stands in the file of `id` now, though it is not JSON.
    Optional<String> current(String id) throws IOException {
        Path path = path(id);
        try {
            var stamp = Stamp.of(path, clock.nanos());
            if (!stamp.isFile()) return Optional.empty();
            DefinitionFile file = files.get(id);
            if (file != null && file.stamp().vouchesFor(stamp)) return Optional.of(file.text());
            return Optional.of(
                    DefinitionFile.read(path, stamp, Optional.ofNullable(file).map(DefinitionFile::text))
                            .text());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Writes the new texts beside the files they will replace.
    ///
    /// @return what [#replace] puts in place, by id
    Map<String, Path> stage(List<DefinitionChange> changes) throws IOException {
        var staged = new LinkedHashMap<String, Path>();
        try {
            for (DefinitionChange change : changes) {
                if (change.after().isEmpty()) continue;
                byte[] text = change.after().get().getBytes(StandardCharsets.UTF_8);
                staged.put(change.id(), DurableFiles.stage(path(change.id()), text));
            }
            return staged;
        } catch (IOException e) {
            discard(staged);
            throw e;
        }
    }

    void discard(Map<String, Path> staged) throws IOException {
        for (Path file : staged.values()) Files.deleteIfExists(file);
    }

    /// Makes `changes` true in the folder, durably.
    void replace(List<DefinitionChange> changes, Map<String, Path> staged) throws IOException {
        for (DefinitionChange change : changes) {
            Path path = path(change.id());
            Path text = staged.get(change.id());
            if (text == null) {
                Files.deleteIfExists(path);
                files.remove(change.id());
                continue;
            }
            DurableFiles.replace(text, path);
            var stamp = Stamp.of(path, clock.nanos());
            files.put(
                    change.id(), new DefinitionFile(change.id(), change.after().orElseThrow(), stamp));
        }
        DurableFiles.syncFolder(folder);
    }

    /// Removes what a crash left of [#stage].
    void removeStaged() throws IOException {
        if (!writable()) return;
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, ".*" + DefinitionFile.SUFFIX + ".tmp")) {
            for (Path file : left) Files.delete(file);
        }
    }

    private Optional<DefinitionFile> read(Path path, Map<String, String> known) throws IOException {
        String name = String.valueOf(path.getFileName());
        String id = name.substring(0, name.length() - DefinitionFile.SUFFIX.length());
        Stamp stamp = stamp(path);
        if (!stamp.isFile()) return Optional.empty();
        DefinitionFile before = files.get(id);
        if (before != null && before.stamp().vouchesFor(stamp)) return Optional.of(before);
        return Optional.of(DefinitionFile.read(path, stamp, Optional.ofNullable(known.get(id))));
    }

    private Stamp stamp(Path path) {
        try {
            return Stamp.of(path, clock.nanos());
        } catch (IOException e) {
            throw new InvalidConfigException("/apis/" + path.getFileName(), "cannot be read: " + e);
        }
    }

    private Path path(String id) {
        return folder.resolve(id + DefinitionFile.SUFFIX);
    }

    private static boolean isDefinition(Path path) {
        return DefinitionFile.isNamed(String.valueOf(path.getFileName()));
    }
}
