package gateway.app.admin;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policy.Stage;
import gateway.service.AuditEntry;
import gateway.service.CachePurge;
import gateway.service.ConflictException;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DefinitionStore;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.OlderNodesException;
import gateway.service.Purges;
import gateway.service.Revision;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stored definitions and the snapshot made of them, kept in step.
///
/// A change is first compiled into the snapshot it would make, then committed, then live, in that order: what
/// is stored always compiles, and a write that was answered is served. One writer at a time in this process;
/// writers on other nodes are met by the store's revision check and a fresh attempt.
public final class Definitions {
    private static final Logger LOG = LoggerFactory.getLogger(Definitions.class);
    private static final int ATTEMPTS = 8;

    private final DefinitionStore store;
    private final Compiler compiler;
    private final LiveSnapshot live;
    private final DefinitionRehearsal rehearsal;
    private final AuditTrail audit;
    private final Purges purges;
    private final InstantSource clock;
    private final ReentrantLock writer = new ReentrantLock();
    private final List<Runnable> first = new CopyOnWriteArrayList<>();
    private final LongAdder applied = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile DefinitionSet current = DefinitionSet.EMPTY;
    private volatile long stored; // the store's revision as last heard; lower than ours when it has lost some

    /// Makes snapshots that leave out what does not compile and tell its problems.
    @FunctionalInterface
    public interface Compiler {
        Snapshot compileLeniently(DefinitionSet definitions, Snapshot previous);
    }

    /// @param users of documents that are to be deleted
    /// @param purges of what is kept of APIs that are deleted
    public Definitions(
            DefinitionStore store,
            Compiler compiler,
            LiveSnapshot live,
            Users users,
            AuditTrail audit,
            Purges purges,
            InstantSource clock) {
        this.store = store;
        this.compiler = compiler;
        this.live = live;
        this.rehearsal = new DefinitionRehearsal(compiler, live, users);
        this.audit = audit;
        this.purges = purges;
        this.clock = clock;
    }

    /// What is stored, as of the last write or reload seen here.
    public DefinitionSet current() {
        return current;
    }

    /// Serves what is stored, leaving out what does not compile; the snapshot tells what and why.
    ///
    /// @throws InvalidConfigException when a document is not even JSON
    public Snapshot start() {
        writer.lock();
        try {
            DefinitionSet stored = store.load();
            replace(stored, compiler.compileLeniently(stored, live.current()));
            return live.current();
        } finally {
            writer.unlock();
        }
    }

    /// From now on an operator's reload runs `more` before it reads definitions; what that throws is the answer.
    public void reloadFirst(Runnable more) {
        first.add(more);
    }

    /// All that an operator's reload reads again.
    ///
    /// @throws InvalidConfigException with every problem of the first part that has any
    Snapshot reloadAll() {
        first.forEach(Runnable::run);
        return reload();
    }

    /// Serves what is stored now.
    ///
    /// @throws InvalidConfigException with every problem; then what was served is served still
    public Snapshot reload() {
        return serve(store::load, snapshot -> {
            if (!snapshot.problems().isEmpty()) throw new InvalidConfigException(snapshot.problems());
        });
    }

    /// Serves the same definitions, compiled anew where what they refer to has changed.
    ///
    /// @throws InvalidConfigException when one that is served no longer can be; then all is served as it was
    public void recompile() {
        serve(() -> current, this::requireNoMoreLeftOut);
    }

    private Snapshot serve(Supplier<DefinitionSet> definitions, Consumer<Snapshot> check) {
        writer.lock();
        try {
            DefinitionSet wanted = definitions.get();
            Snapshot snapshot = compiler.compileLeniently(wanted, live.current());
            check.accept(snapshot);
            replace(wanted, snapshot);
            return snapshot;
        } catch (InvalidConfigException e) {
            refused.increment();
            throw e;
        } catch (DependencyException e) {
            failed.increment();
            throw e;
        } finally {
            writer.unlock();
        }
    }

    /// What this node leaves out already may be left out still: one flaw, perhaps of this node alone, keeps no other
    /// change from it.
    private void requireNoMoreLeftOut(Snapshot snapshot) {
        try {
            RefusedChange.requireNoMoreLeftOut(snapshot, live.current(), Set.of());
        } catch (AdminProblem e) {
            throw new InvalidConfigException(e.problems());
        }
    }

    /// Serves what other nodes store, soon after they did.
    ///
    /// @return ends the following
    public AutoCloseable follow() {
        return store.watch(this::changedElsewhere);
    }

    /// What this node serves it goes on serving. What it has not served yet it leaves out, as it would at a start: one
    /// flaw, perhaps of this node alone, keeps no later change from it.
    private void requireServedStill(Snapshot snapshot) {
        Snapshot before = live.current();
        List<ConfigProblem> lost = snapshot.problems().stream()
                .filter(problem -> DocumentId.ofPointer(problem.pointer())
                        .filter(id -> !isServed(id, before))
                        .isEmpty())
                .toList();
        if (!lost.isEmpty()) throw new InvalidConfigException(lost);
    }

    /// Sets and the like are served by the APIs that use them.
    private static boolean isServed(DocumentId id, Snapshot snapshot) {
        return switch (id.kind()) {
            case APIS -> snapshot.apis().containsKey(id.id());
            case PLANS -> snapshot.plan(id.id()).isPresent();
            case POLICY_SETS, GLOBAL, RESOURCES, SECRETS -> false;
        };
    }

    private void changedElsewhere(long revision) {
        if (revision <= stored) {
            stored = revision; // what the store has lost is served here still
            return;
        }
        try {
            List<ConfigProblem> before = live.current().problems();
            serve(store::load, this::requireServedStill);
            LOG.info("serving revision {}", current.revision());
            live.current().problems().stream()
                    .filter(problem -> !before.contains(problem))
                    .forEach(problem -> LOG.error("left out: {}", problem));
        } catch (InvalidConfigException e) {
            stored = revision;
            LOG.error(
                    "revision {} of another node cannot be served, revision {} is served still: {}",
                    revision,
                    live.current().revision(),
                    e.getMessage());
        }
    }

    /// Stores and serves what `plan` makes of the current definitions. Pointers of problems with the one document that
    /// it changes lead into that.
    ///
    /// @param plan answers the changes, none to leave all as it is; asked again when another node wrote meanwhile
    /// @return what is stored and live now
    /// @throws AdminProblem 409 or 422 when the changed definitions cannot be served, or from `plan`
    DefinitionSet write(String author, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        var changed = new ArrayList<DefinitionChange>();
        try {
            return writeAll(author, note, base -> {
                changed.clear();
                changed.addAll(plan.apply(base));
                return List.copyOf(changed);
            });
        } catch (AdminProblem e) {
            throw RefusedChange.within(changed, e);
        }
    }

    /// The same for a caller who may store what it is.
    ///
    /// @throws AdminProblem 403 as well, without a right that the changes need
    DefinitionSet write(AdminCaller caller, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        return write(caller.name(), note, base -> CarriedScripts.allowed(caller, base, plan.apply(base)));
    }

    /// The same for a caller who sent no document or several: each problem's pointer names the document that it lies
    /// in.
    DefinitionSet writeAll(AdminCaller caller, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        return writeAll(caller.name(), note, base -> CarriedScripts.allowed(caller, base, plan.apply(base)));
    }

    private DefinitionSet writeAll(String author, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        writer.lock();
        try {
            long from = current.revision();
            commitCounted(author, note, plan);
            audit.append(new AuditEntry(clock.instant(), author, note, from, current.revision()));
            return current;
        } finally {
            writer.unlock();
        }
    }

    private void commitCounted(String author, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        try {
            commit(author, note, plan);
        } catch (AdminProblem e) {
            refused.increment();
            throw e;
        } catch (DependencyException e) {
            failed.increment();
            throw e;
        }
    }

    /// How often other definitions went live, since the start.
    public long applied() {
        return applied.sum();
    }

    /// How often definitions were not taken, by a write, a reload or from another node, since they cannot be served.
    public long refused() {
        return refused.sum();
    }

    /// How often the store could not be read or written.
    public long failed() {
        return failed.sum();
    }

    /// The snapshot that `changes` would make of `base`; nothing is stored and nothing replaced. Each problem's pointer
    /// names the document that it lies in.
    ///
    /// @throws AdminProblem 409 or 422 when a changed definition cannot be served, or a served one no longer could
    Snapshot rehearse(DefinitionSet base, List<DefinitionChange> changes) {
        return rehearsal.of(DefinitionRehearsal.applied(base, changes, base.revision() + 1), changes);
    }

    /// Appends a write to something else than definitions, which is done, to the audit log.
    void audited(String author, String note) {
        long revision = current.revision();
        audit.append(new AuditEntry(clock.instant(), author, note, revision, revision));
    }

    private void commit(String author, String note, Function<DefinitionSet, List<DefinitionChange>> plan) {
        Optional<DefinitionSet> lost = Optional.empty(); // what is stored, when it is less than what is served here
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            DefinitionSet base = current;
            List<DefinitionChange> changes = plan.apply(base);
            if (changes.isEmpty()) return;
            long number = lost.orElse(base).revision() + 1;
            DefinitionSet after = DefinitionRehearsal.applied(base, changes, number);
            Snapshot snapshot = rehearsal.of(after, changes);
            List<DefinitionChange> all =
                    lost.map(found -> found.changesTo(after)).orElse(changes);
            try {
                store.commit(new Revision(number, clock.instant(), author, note, all));
            } catch (ConflictException e) {
                lost = catchUp(store.load());
                continue;
            } catch (OlderNodesException e) {
                throw AdminProblem.conflict(String.valueOf(e.getMessage()));
            }
            replace(after, snapshot);
            return;
        }
        throw AdminProblem.conflict("other nodes wrote meanwhile, " + ATTEMPTS + " times in a row; try again");
    }

    /// Somebody else wrote: plan again on what they left. A store that was emptied or went back to an earlier revision
    /// gets back what is served here.
    ///
    /// @return `found` when it went back
    private Optional<DefinitionSet> catchUp(DefinitionSet found) {
        if (found.revision() < current.revision()) {
            LOG.warn(
                    "revision {} is stored, {} is served: this write stores what is served again",
                    found.revision(),
                    current.revision());
            return Optional.of(found);
        }
        current = found;
        return Optional.empty();
    }

    private void replace(DefinitionSet now, Snapshot snapshot) {
        Snapshot before = live.current();
        current = now;
        stored = now.revision();
        live.replace(snapshot);
        applied.increment();
        forgetAnswers(before, now);
    }

    /// What is kept of an API that is no longer there is not for one that is made later and has its id. Each node says
    /// so once it has no request for it any more.
    private void forgetAnswers(Snapshot before, DefinitionSet now) {
        var gone = new ArrayList<CachePurge>();
        before.apis().forEach((id, api) -> {
            boolean isGone = now.text(DocumentId.api(id)).isEmpty();
            if (isGone && api.definition().allPolicies().stream().anyMatch(each -> each.stage() == Stage.CACHE))
                gone.add(new CachePurge(id, "", "", "", false));
        });
        if (!gone.isEmpty()) purges.tellInTime(gone);
    }
}
