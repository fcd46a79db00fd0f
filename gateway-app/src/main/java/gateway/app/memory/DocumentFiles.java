package gateway.app.memory;

import gateway.json.ConfigProblem;
import gateway.service.Contents;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The documents in the files of a data folder, for whoever only looks at them: nothing is written, locked or taken
/// over.
///
/// @param texts with their ids, as far as they could be read
/// @param problems of files that are no documents, under `/<kind>/<file>`
public record DocumentFiles(SortedMap<DocumentId, String> texts, List<ConfigProblem> problems) {
    private static final Contents NOWHERE = new Contents() {
        @Override
        public Optional<byte[]> find(String sha256) {
            return Optional.empty();
        }

        @Override
        public void keep(byte[] content) {} // who looks at documents reads no contents
    };

    /// Whether `folder` is laid out as a data folder: has a folder of any kind of documents, or the global policies.
    public static boolean areIn(Path folder) {
        return Arrays.stream(DocumentKind.values()).anyMatch(kind -> Files.exists(place(folder, kind)));
    }

    private static Path place(Path folder, DocumentKind kind) {
        return kind == DocumentKind.GLOBAL ? file(folder, DocumentId.GLOBAL) : folder.resolve(kind.text());
    }

    /// Where the document `id` lies in the data folder `folder`.
    public static Path file(Path folder, DocumentId id) {
        Path place = id.kind() == DocumentKind.GLOBAL
                ? folder
                : folder.resolve(id.kind().text());
        return place.resolve(id.id() + DefinitionFile.suffix(id.kind()));
    }

    public static DocumentFiles in(Path folder) throws IOException {
        var texts = new TreeMap<DocumentId, String>();
        var problems = new ArrayList<ConfigProblem>();
        folders(folder).look(texts, problems);
        return new DocumentFiles(texts, problems);
    }

    private static DefinitionFolders folders(Path folder) {
        return new DefinitionFolders(
                folder, () -> EpochClock.nanos(Instant.now()), FoundDocument.AS_IT_STANDS, NOWHERE);
    }

    /// The document that `file` holds by its name and its folder's, such as `policy-sets/gold.json` and `global.json`;
    /// empty when these name none.
    public static Optional<DocumentId> named(Path file) {
        Path whole = file.toAbsolutePath();
        String name = String.valueOf(whole.getFileName());
        if (name.equals(DocumentId.GLOBAL.id() + DefinitionFile.SUFFIX)) return Optional.of(DocumentId.GLOBAL);
        return Optional.ofNullable(whole.getParent())
                .flatMap(parent -> DocumentKind.of(String.valueOf(parent.getFileName())))
                .filter(kind -> kind != DocumentKind.GLOBAL && DefinitionFile.isNamed(kind, name))
                .map(kind -> new DocumentId(
                        kind,
                        name.substring(
                                0, name.length() - DefinitionFile.suffix(kind).length())));
    }

    /// The text of the document `id` in `file`, with its id.
    ///
    /// @throws gateway.json.InvalidConfigException pointing to the kind and the file's name, when it is none
    public static String text(DocumentId id, Path file) throws IOException {
        Stamp stamp = Stamp.of(file, EpochClock.nanos(Instant.now()));
        return DefinitionFile.read(id.kind(), file, stamp, Optional.empty(), FoundDocument.AS_IT_STANDS, NOWHERE)
                .text();
    }
}
