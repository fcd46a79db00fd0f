package gateway.app.memory;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.Contents;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The files of all documents, a [DefinitionFolder] for each kind. Not for several threads at once.
final class DefinitionFolders {
    private final Map<DocumentKind, DefinitionFolder> folders = new EnumMap<>(DocumentKind.class);

    DefinitionFolders(Path data, EpochClock clock, FoundDocument found, Contents contents) {
        for (DocumentKind kind : DocumentKind.values()) {
            folders.put(kind, new DefinitionFolder(kind, data, clock, found, contents));
        }
    }

    /// Whether everything that `changes` change can be written.
    boolean writable(List<DefinitionChange> changes) {
        for (DefinitionChange change : changes) {
            if (!folder(change.id()).writable()) return false;
        }
        return true;
    }

    /// Reads what changed since the last scan.
    ///
    /// @param known the texts last known
    /// @return every text
    /// @throws InvalidConfigException with every file that is no document
    Map<DocumentId, String> scan(Map<DocumentId, String> known) throws IOException {
        var texts = HashMap.<DocumentId, String>newHashMap(known.size());
        var problems = new ArrayList<ConfigProblem>();
        scan(known, texts, problems);
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return texts;
    }

    /// Reads all that is there.
    ///
    /// @param texts gains every text
    /// @param problems gains those of every file that is no document
    void look(Map<DocumentId, String> texts, List<ConfigProblem> problems) throws IOException {
        scan(Map.of(), texts, problems);
    }

    private void scan(Map<DocumentId, String> known, Map<DocumentId, String> texts, List<ConfigProblem> problems)
            throws IOException {
        for (DefinitionFolder folder : folders.values()) folder.scan(known, texts, problems);
        problems.sort(Comparator.comparing(ConfigProblem::pointer));
    }

    /// What stands in the file of `id` now, though it is not JSON.
    Optional<String> current(DocumentId id) throws IOException {
        return folder(id).current(id.id());
    }

    /// Writes the new texts beside the files they will replace.
    ///
    /// @return what [#replace] puts in place
    Map<DocumentId, Path> stage(List<DefinitionChange> changes) throws IOException {
        var staged = new LinkedHashMap<DocumentId, Path>();
        try {
            for (DefinitionChange change : changes) {
                if (change.after().isEmpty()) continue;
                DocumentId id = change.id();
                staged.put(id, folder(id).stage(id.id(), change.after().get()));
            }
            return staged;
        } catch (IOException e) {
            discard(staged);
            throw e;
        }
    }

    void discard(Map<DocumentId, Path> staged) throws IOException {
        for (Path file : staged.values()) Files.deleteIfExists(file);
    }

    /// Makes `changes` true in the folders, durably.
    void replace(List<DefinitionChange> changes, Map<DocumentId, Path> staged) throws IOException {
        var touched = EnumSet.noneOf(DocumentKind.class);
        for (DefinitionChange change : changes) {
            DocumentId id = change.id();
            touched.add(id.kind());
            Path text = staged.get(id);
            if (text == null) folder(id).remove(id.id());
            else folder(id).replace(id.id(), change.after().orElseThrow(), text);
        }
        for (DocumentKind kind : touched) folder(kind).sync();
    }

    /// Removes what a crash left of [#stage].
    void removeStaged() throws IOException {
        for (DefinitionFolder folder : folders.values()) folder.removeStaged();
    }

    private DefinitionFolder folder(DocumentId id) {
        return folder(id.kind());
    }

    private DefinitionFolder folder(DocumentKind kind) {
        return Objects.requireNonNull(folders.get(kind), "there is one for each kind");
    }
}
