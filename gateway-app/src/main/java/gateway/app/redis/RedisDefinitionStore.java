package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.ConflictException;
import gateway.service.Contents;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DefinitionStore;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.OlderNodesException;
import gateway.service.Revision;
import gateway.service.RevisionJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Documents and their last thousand revisions in Redis, one source of truth for all nodes.
///
/// APIs alone stand where nodes of 0.1 read and write them. The first document of another kind moves everything
/// elsewhere, where 0.1 finds nothing, and is refused while a node of 0.1 listens: it would serve APIs without what the
/// new document says of them. Only nodes of 0.1 listen to the channel of 0.1.
///
/// A commit is one script that compares the stored revision and sets the new one. Watchers hear of it by a
/// message, and when that is lost by [#refresh].
final class RedisDefinitionStore implements DefinitionStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisDefinitionStore.class);
    private static final Script COMMIT = Script.of("definition-commit");
    private static final Script LOAD = Script.of("definition-load");
    private static final Script HISTORY = Script.of("definition-history");
    private static final Script REVISION = Script.of("definition-revision");

    private final RedisLink link;
    private final String prefix;
    private final RedisContents contents;
    private final Set<LongConsumer> watchers = new CopyOnWriteArraySet<>();
    private final AtomicLong known = new AtomicLong();

    private RedisDefinitionStore(RedisLink link, String namespace) {
        this.link = link;
        this.prefix = "{" + namespace + ":definitions}:";
        this.contents = new RedisContents(link, prefix);
    }

    /// @throws gateway.service.DependencyException when Redis does not answer
    static RedisDefinitionStore open(RedisLink link, String namespace) {
        var store = new RedisDefinitionStore(link, namespace);
        store.known.set(store.stored());
        return store;
    }

    @Override
    public DefinitionSet load() {
        var answer = link.askPatiently(LOAD, arguments(), new ScriptReply.Texts());
        var documents = new LinkedHashMap<DocumentId, String>();
        for (int i = 1; i < answer.size(); i += 2) {
            Json.parse(answer.at(i + 1));
            documents.put(document(answer.at(i)), answer.at(i + 1));
        }
        return new DefinitionSet(Long.parseLong(answer.at(0)), documents);
    }

    @Override
    public void commit(Revision revision) {
        boolean newer = hasNewerKinds(revision);
        if (newer) requireNoOlderNodes();
        var arguments = arguments()
                .add(revision.number())
                .add(RevisionJson.write(revision))
                .add(channel())
                .add(olderChannel())
                .add(newer ? 1 : 0);
        for (DefinitionChange change : revision.changes()) {
            arguments.add(field(change.id())).add(change.after().orElse(""));
        }
        var answer = link.askPatiently(COMMIT, arguments, new ScriptReply.Numbers());
        if (answer.at(0) == 0) {
            throw new ConflictException("expected revision " + (revision.number() - 1) + ", stored is " + answer.at(1));
        }
        known.set(revision.number()); // watchers hear of other nodes' only
        if (changesResources(revision)) collect();
    }

    private static boolean changesResources(Revision revision) {
        for (DefinitionChange change : revision.changes()) {
            if (change.id().kind() == DocumentKind.RESOURCES) return true;
        }
        return false;
    }

    /// What is left over now goes with a later change.
    private void collect() {
        try {
            long removed = contents.collect();
            if (removed > 0) LOG.info("{} contents of resources removed that nothing names", removed);
        } catch (DependencyException e) {
            LOG.debug("contents are not collected", e);
        }
    }

    @Override
    public Contents contents() {
        return contents;
    }

    @Override
    public List<Revision> revisions(long before, int limit) {
        var answer = link.askPatiently(HISTORY, arguments().add(before).add(limit), new ScriptReply.Texts());
        return answer.all().stream()
                .map(text -> RevisionJson.read(ConfigNode.parse(Objects.requireNonNull(text))))
                .toList();
    }

    @Override
    public Optional<Revision> revision(long number) {
        if (number < 1 || number == Long.MAX_VALUE) return Optional.empty();
        return revisions(number + 1, 1).stream()
                .filter(found -> found.number() == number)
                .findFirst();
    }

    @Override
    public AutoCloseable watch(LongConsumer listener) {
        watchers.add(listener);
        return () -> watchers.remove(listener);
    }

    /// Where each commit is told by its number.
    String channel() {
        return prefix + "changed-2";
    }

    /// Where nodes of 0.1 listen, and tell of their commits; these are found by [#refresh].
    private String olderChannel() {
        return prefix + "changed";
    }

    private static boolean hasNewerKinds(Revision revision) {
        for (DefinitionChange change : revision.changes()) {
            if (change.id().kind() != DocumentKind.APIS && change.after().isPresent()) return true;
        }
        return false;
    }

    private void requireNoOlderNodes() {
        long nodes = link.listeners(olderChannel());
        if (nodes == 0) return;
        throw new OlderNodesException("nodes of version 0.1 are connected to Redis (" + nodes
                + "), which know no documents but APIs; try again when all are replaced");
    }

    private static String field(DocumentId document) {
        return document.kind() == DocumentKind.APIS ? document.id() : document.toString();
    }

    private static DocumentId document(String field) {
        if (field.indexOf('/') < 0) return DocumentId.api(field);
        return DocumentId.ofPointer("/" + field).orElseGet(() -> DocumentId.api(field));
    }

    /// Tells watchers when another node committed since the last time.
    ///
    /// @throws gateway.service.DependencyException when Redis does not answer
    void refresh() {
        if (watchers.isEmpty()) return; // whoever watches later hears of it then
        long before = known.get();
        long now = stored(); // may be lower after a failover that lost a write
        if (before == now || !known.compareAndSet(before, now)) return;
        if (now < before) {
            LOG.error(
                    "definitions in Redis went back from revision {} to {}, this node goes on with what it serves",
                    before,
                    now);
        }
        try {
            watchers.forEach(watcher -> watcher.accept(now));
        } catch (DependencyException e) {
            known.compareAndSet(now, before); // not read: tell them again
            throw e;
        }
    }

    private long stored() {
        return link.askPatiently(REVISION, arguments(), new ScriptReply.Numbers())
                .at(0);
    }

    private Arguments arguments() {
        return Arguments.keys(
                prefix + "revision",
                prefix + "documents",
                prefix + "history",
                prefix + "revision-2",
                prefix + "documents-2",
                prefix + "history-2");
    }
}
