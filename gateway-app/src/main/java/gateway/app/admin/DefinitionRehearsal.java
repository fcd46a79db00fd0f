package gateway.app.admin;

import gateway.app.admin.Definitions.Compiler;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// What changes of definitions would make, before anything is stored or served.
final class DefinitionRehearsal {
    private final Compiler compiler;
    private final LiveSnapshot live;
    private final Users users;

    DefinitionRehearsal(Compiler compiler, LiveSnapshot live, Users users) {
        this.compiler = compiler;
        this.live = live;
        this.users = users;
    }

    /// `base` with `changes`.
    ///
    /// @param number of the revision that this would be
    static DefinitionSet applied(DefinitionSet base, List<DefinitionChange> changes, long number) {
        var documents = new HashMap<>(base.documents());
        for (DefinitionChange change : changes) {
            change.after()
                    .ifPresentOrElse(text -> documents.put(change.id(), text), () -> documents.remove(change.id()));
        }
        return new DefinitionSet(number, documents);
    }

    /// The snapshot of `after`, to which `changes` lead.
    ///
    /// @throws AdminProblem 409 or 422 when a changed definition cannot be served, or a served one no longer could
    Snapshot of(DefinitionSet after, List<DefinitionChange> changes) {
        Snapshot previous = live.current();
        users.requireNone(changes, after);
        Snapshot snapshot = compiler.compileLeniently(after, previous);
        var changed = new HashSet<DocumentId>();
        for (DefinitionChange change : changes) changed.add(change.id());
        RefusedChange.requireNoMoreLeftOut(snapshot, previous, changed);
        return snapshot;
    }
}
