package gateway.app.admin;

import gateway.config.PolicySet;
import gateway.json.ConfigProblem;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretReference;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Who uses documents that are to be deleted.
final class Users {
    private Users() {}

    /// @throws AdminProblem 409 with the users of what `changes` delete, unless these are changed by them too
    static void requireNone(List<DefinitionChange> changes, Snapshot snapshot) {
        Set<DocumentId> deleted = new HashSet<>();
        Set<DocumentId> changed = new HashSet<>();
        for (DefinitionChange change : changes) {
            changed.add(change.id());
            if (change.after().isEmpty()) deleted.add(change.id());
        }
        if (deleted.isEmpty()) return;
        var users = new ArrayList<ConfigProblem>();
        snapshot.apis().forEach((id, api) -> add(users, DocumentId.api(id), usedBy(api), deleted, changed));
        for (PolicySet set : snapshot.sets().all()) {
            add(users, new DocumentId(DocumentKind.POLICY_SETS, set.id()), sets(set.uses()), deleted, changed);
        }
        users.sort(Comparator.comparing(ConfigProblem::pointer));
        if (!users.isEmpty()) throw AdminProblem.conflict(users);
    }

    private static void add(
            List<ConfigProblem> users,
            DocumentId user,
            Stream<DocumentId> uses,
            Set<DocumentId> deleted,
            Set<DocumentId> changed) {
        if (changed.contains(user)) return;
        uses.filter(deleted::contains).forEach(used -> users.add(new ConfigProblem(user.pointer(), "uses " + used)));
    }

    private static Stream<DocumentId> usedBy(CompiledApi api) {
        Stream<DocumentId> secrets = api.secrets().keySet().stream()
                .filter(each -> each.origin() == SecretReference.Origin.SECRET)
                .map(each -> new DocumentId(DocumentKind.SECRETS, each.name()));
        return Stream.concat(sets(api.uses()), secrets);
    }

    private static Stream<DocumentId> sets(List<PolicySet> sets) {
        return sets.stream().map(set -> new DocumentId(DocumentKind.POLICY_SETS, set.id()));
    }
}
