package gateway.app.admin;

import gateway.service.DefinitionChange;
import gateway.service.DefinitionStore;
import gateway.service.DocumentId;
import gateway.service.Revision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/// The revisions of the definitions and what lies between any two of them.
final class History {
    private final DefinitionStore store;

    History(DefinitionStore store) {
        this.store = store;
    }

    /// @throws AdminProblem 404 when it is not kept
    Revision revision(long number) {
        return store.revision(number).orElseThrow(() -> AdminProblem.notFound("there is no revision " + number));
    }

    /// Newest first, those with a number below `before`.
    List<Revision> before(long before, int limit) {
        return store.revisions(before, limit);
    }

    /// What changes on the way from one revision to another, forwards or backwards; revision 0 is the empty set. What
    /// ends as it began is left out.
    ///
    /// @throws AdminProblem 404 when a revision on the way is not kept
    List<DefinitionChange> between(long from, long to) {
        if (from > to) return between(to, from).stream().map(History::reversed).toList();
        var net = new LinkedHashMap<DocumentId, DefinitionChange>();
        for (long number = from + 1; number <= to; number++) {
            for (DefinitionChange change : revision(number).changes()) net.merge(change.id(), change, History::joined);
        }
        var changes = new ArrayList<DefinitionChange>(net.values());
        changes.removeIf(change -> Objects.equals(change.before(), change.after()));
        return changes;
    }

    private static DefinitionChange joined(DefinitionChange first, DefinitionChange second) {
        return new DefinitionChange(first.id(), first.before(), second.after());
    }

    private static DefinitionChange reversed(DefinitionChange change) {
        return new DefinitionChange(change.id(), change.after(), change.before());
    }
}
