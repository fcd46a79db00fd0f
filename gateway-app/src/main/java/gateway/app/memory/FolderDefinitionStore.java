package gateway.app.memory;

import gateway.json.InvalidConfigException;
import gateway.service.ConflictException;
import gateway.service.Contents;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DefinitionStore;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Documents in folders of JSON files that people may change by hand, with their history beside them.
///
/// A commit touches only the files it changes: new texts are written beside the old ones, then the revision is
/// written to the history, which is when it happened, then the texts take their places. A crash after that is
/// made good by the next [#load].
final class FolderDefinitionStore implements DefinitionStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderDefinitionStore.class);

    private final DefinitionFolders folders;
    private final RevisionJournal history;
    private final FileContents contents;
    private final InstantSource clock;
    private final ReentrantLock using = new ReentrantLock();

    private FolderDefinitionStore(
            DefinitionFolders folders, RevisionJournal history, FileContents contents, InstantSource clock) {
        this.folders = folders;
        this.history = history;
        this.contents = contents;
        this.clock = clock;
    }

    /// @throws DataFolderException when the files are damaged or cannot be read
    static FolderDefinitionStore open(Path data, InstantSource clock, FoundDocument found) {
        Path apis = data.resolve("apis");
        try {
            if (!Files.exists(apis)) DurableFiles.createFolder(apis);
            var contents = new FileContents(data);
            var folders = new DefinitionFolders(data, () -> EpochClock.nanos(clock.instant()), found, contents);
            folders.removeStaged();
            RevisionJournal history = RevisionJournal.open(data);
            contents.collect(history.digests());
            return new FolderDefinitionStore(folders, history, contents, clock);
        } catch (IOException e) {
            throw new DataFolderException("cannot open the definitions in " + data, e);
        }
    }

    @Override
    public DefinitionSet load() {
        using.lock();
        try {
            Map<DocumentId, String> found = folders.scan(history.documents());
            Optional<Revision> unapplied = history.unapplied();
            if (unapplied.isPresent() && isWritable(unapplied.get())) {
                finish(unapplied.get(), found);
                found = folders.scan(history.documents());
            }
            List<DefinitionChange> changes = differences(history.documents(), found);
            if (!changes.isEmpty()) adopt(changes);
            return new DefinitionSet(history.newest(), history.documents());
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot read the definitions (" + e + ")", e);
        } finally {
            using.unlock();
        }
    }

    @Override
    public void commit(Revision revision) {
        using.lock();
        try {
            requireNext(revision);
            requireWritable(revision);
            for (DefinitionChange change : revision.changes()) requireUntouched(change);
            var staged = folders.stage(revision.changes());
            try {
                history.append(revision);
            } catch (DependencyException e) {
                folders.discard(staged);
                throw e;
            }
            folders.replace(revision.changes(), staged);
            history.markApplied();
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot write the definitions (" + e + ")", e);
        } finally {
            using.unlock();
        }
    }

    @Override
    public Contents contents() {
        return contents;
    }

    @Override
    public List<Revision> revisions(long before, int limit) {
        using.lock();
        try {
            var found = new ArrayList<Revision>();
            for (long number = Math.min(before - 1, history.newest()); number > 0 && found.size() < limit; number--) {
                found.add(history.revision(number).orElseThrow());
            }
            return List.copyOf(found);
        } finally {
            using.unlock();
        }
    }

    @Override
    public Optional<Revision> revision(long number) {
        using.lock();
        try {
            return history.revision(number);
        } finally {
            using.unlock();
        }
    }

    @Override
    public AutoCloseable watch(LongConsumer listener) {
        return () -> {};
    }

    @Override
    public void close() throws IOException {
        history.close();
    }

    private void requireNext(Revision revision) {
        if (revision.number() != history.newest() + 1) {
            throw new ConflictException(
                    "revision " + history.newest() + " is stored, so revision " + revision.number() + " cannot follow");
        }
        for (DefinitionChange change : revision.changes()) {
            String id = change.id().id();
            if (DefinitionFile.isSafe(id)) continue;
            throw new InvalidConfigException(
                    "/id", "expected 1 to 128 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
    }

    private boolean isWritable(Revision revision) {
        return history.writable() && folders.writable(revision.changes());
    }

    private void requireWritable(Revision revision) {
        if (isWritable(revision)) return;
        throw new DependencyException(
                "data folder",
                "the definitions are read-only here; change the files where they come from, then reload");
    }

    private void requireUntouched(DefinitionChange change) throws IOException {
        String known = history.documents().get(change.id());
        if (Objects.equals(known, folders.current(change.id()).orElse(null))) return;
        throw new ConflictException(
                change.id() + DefinitionFile.suffix(change.id().kind()) + " was changed by hand; reload first");
    }

    /// Does again what a crash kept from the files. Only files that still stand as before are written: others
    /// were changed by somebody since.
    private void finish(Revision revision, Map<DocumentId, String> found) throws IOException {
        List<DefinitionChange> left = revision.changes().stream()
                .filter(change -> change.before().equals(Optional.ofNullable(found.get(change.id()))))
                .toList();
        if (!left.isEmpty()) {
            LOG.info("revision {}: finishing {} files that a crash left behind", revision.number(), left.size());
            folders.replace(left, folders.stage(left));
        }
        history.markApplied();
    }

    private void adopt(List<DefinitionChange> changes) {
        String note = changes.size() == 1 ? "1 file changed" : changes.size() + " files changed";
        var revision = new Revision(history.newest() + 1, clock.instant(), "folder", note, changes);
        if (!history.writable()) {
            history.remember(revision);
            return;
        }
        history.append(revision);
        history.markApplied();
    }

    private static List<DefinitionChange> differences(Map<DocumentId, String> before, Map<DocumentId, String> after) {
        var changes = new ArrayList<DefinitionChange>();
        after.forEach((id, text) -> {
            String earlier = before.get(id);
            if (!text.equals(earlier)) {
                changes.add(new DefinitionChange(id, Optional.ofNullable(earlier), Optional.of(text)));
            }
        });
        before.forEach((id, text) -> {
            if (!after.containsKey(id)) changes.add(new DefinitionChange(id, Optional.of(text), Optional.empty()));
        });
        changes.sort(Comparator.comparing(DefinitionChange::id));
        return changes;
    }
}
