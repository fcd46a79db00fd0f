package gateway.service;

import gateway.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/// Definitions and their history in memory.
public final class FakeDefinitionStore implements DefinitionStore {
    private final Map<DocumentId, String> documents = new HashMap<>();
    private final List<Revision> revisions = new ArrayList<>();
    private final FakeContents contents;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

    private boolean away;
    private boolean busy;
    private boolean older;

    public FakeDefinitionStore() {
        this(new FakeContents());
    }

    /// @param contents that others use too
    public FakeDefinitionStore(FakeContents contents) {
        this.contents = contents;
    }

    /// From now on every call fails as a store out of reach does.
    public synchronized void goAway() {
        away = true;
        contents.goAway();
    }

    /// From now on another node writes right before each commit.
    public synchronized void getBusy() {
        busy = true;
    }

    /// From now on nodes share the store that know nothing but APIs.
    public synchronized void meetOlderNodes() {
        older = true;
    }

    @Override
    public synchronized DefinitionSet load() {
        requireHere();
        documents.values().forEach(Json::parse);
        return new DefinitionSet(revisions.size(), documents);
    }

    @Override
    public synchronized void commit(Revision revision) {
        requireHere();
        if (busy) revisions.add(new Revision(revisions.size() + 1L, Instant.EPOCH, "node-2", "nothing", List.of()));
        if (revision.number() != revisions.size() + 1) {
            throw new ConflictException("expected revision " + (revisions.size() + 1) + ", got " + revision.number());
        }
        for (DefinitionChange change : revision.changes()) {
            if (older && change.id().kind() != DocumentKind.APIS) throw new OlderNodesException("older nodes");
        }
        for (DefinitionChange change : revision.changes()) {
            change.after()
                    .ifPresentOrElse(text -> documents.put(change.id(), text), () -> documents.remove(change.id()));
        }
        revisions.add(revision);
    }

    @Override
    public FakeContents contents() {
        return contents;
    }

    @Override
    public synchronized List<Revision> revisions(long before, int limit) {
        requireHere();
        return revisions.reversed().stream()
                .filter(revision -> revision.number() < before)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized Optional<Revision> revision(long number) {
        requireHere();
        return revisions.stream()
                .filter(revision -> revision.number() == number)
                .findFirst();
    }

    @Override
    public AutoCloseable watch(LongConsumer listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void requireHere() {
        if (away) throw new DependencyException("fake", "away");
    }

    /// Stores a document as another node would, and tells the watchers.
    public void writeElsewhere(String id, String text) {
        long number;
        synchronized (this) {
            number = revisions.size() + 1L;
            DocumentId api = DocumentId.api(id);
            var change = new DefinitionChange(api, Optional.ofNullable(documents.get(api)), Optional.of(text));
            commit(new Revision(number, Instant.EPOCH, "node-2", "PUT apis/" + id, List.of(change)));
        }
        listeners.forEach(listener -> listener.accept(number));
    }
}
