package gateway.app.memory;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import gateway.service.Revision;
import gateway.service.RevisionJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The history of the definitions in the file `revisions.journal`; what all revisions add up to is kept in memory, the
/// revisions themselves are read when asked for. Not for several threads at once.
///
/// A revision is written before the files it changes, so that its line decides whether it happened. A second
/// line says that the files followed; when a crash left it out, [#unapplied] tells what is to be done again.
final class RevisionJournal implements AutoCloseable {
    private final Journal journal;
    private final List<Long> offsets;
    private final Map<DocumentId, String> documents;
    private final Set<String> digests;
    private final Map<Long, Revision> remembered = new HashMap<>();
    private Optional<Revision> unapplied;

    private RevisionJournal(
            Journal journal,
            List<Long> offsets,
            Map<DocumentId, String> documents,
            Set<String> digests,
            Optional<Revision> unapplied) {
        this.journal = journal;
        this.offsets = offsets;
        this.documents = documents;
        this.digests = digests;
        this.unapplied = unapplied;
    }

    /// @throws DataFolderException when the file is damaged or cannot be read
    static RevisionJournal open(Path folder) {
        var offsets = new ArrayList<Long>();
        var documents = new HashMap<DocumentId, String>();
        var digests = new HashSet<String>();
        var unapplied = new ArrayList<Revision>();
        var journal = Journal.open(folder.resolve("revisions.journal"), (offset, line) -> {
            unapplied.clear();
            var node = ConfigNode.parse(line);
            if (node.field("applied").isPresent()) return;
            var revision = RevisionJson.read(node);
            requireNext(revision, offsets.size() + 1);
            offsets.add(offset);
            apply(revision, documents, digests);
            unapplied.add(revision);
        });
        journal.begin(applied(0));
        return new RevisionJournal(
                journal, offsets, documents, digests, unapplied.stream().findFirst());
    }

    /// The number of the newest revision, 0 for none.
    long newest() {
        return offsets.size();
    }

    /// All texts, as the newest revision left them.
    Map<DocumentId, String> documents() {
        return Collections.unmodifiableMap(documents);
    }

    /// The digests of all contents that any revision names.
    Set<String> digests() {
        return Collections.unmodifiableSet(digests);
    }

    /// The newest revision when it is not known that the files followed it.
    Optional<Revision> unapplied() {
        return unapplied;
    }

    void append(Revision revision) {
        offsets.add(journal.append(RevisionJson.write(revision)));
        apply(revision, documents, digests);
        unapplied = Optional.of(revision);
    }

    /// Adds a revision for as long as this process lives, where nothing can be written.
    void remember(Revision revision) {
        remembered.put(revision.number(), revision);
        offsets.add(-1L);
        apply(revision, documents, digests);
    }

    /// Notes that the files follow the newest revision.
    void markApplied() {
        journal.note(applied(newest()));
        unapplied = Optional.empty();
    }

    /// Whether revisions can be added.
    boolean writable() {
        return journal.writable();
    }

    Optional<Revision> revision(long number) {
        if (number < 1 || number > offsets.size()) return Optional.empty();
        Revision found = remembered.get(number);
        if (found != null) return Optional.of(found);
        return Optional.of(RevisionJson.read(ConfigNode.parse(journal.read(offsets.get((int) number - 1)))));
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    private static void apply(Revision revision, Map<DocumentId, String> documents, Set<String> digests) {
        for (DefinitionChange change : revision.changes()) {
            if (change.id().kind() == DocumentKind.RESOURCES) {
                change.after()
                        .ifPresent(
                                text -> digests.add(ResourceDocument.read(text).sha256()));
            }
            if (change.after().isEmpty()) documents.remove(change.id());
            else documents.put(change.id(), change.after().get());
        }
    }

    private static String applied(long revision) {
        return Json.compact(Json.mapper().createObjectNode().put("applied", revision));
    }

    private static void requireNext(Revision revision, int expected) {
        if (revision.number() == expected) return;
        throw new IllegalArgumentException("expected revision " + expected + ", got " + revision.number());
    }
}
