package gateway.app.admin;

import gateway.config.PolicySet;
import gateway.json.ConfigProblem;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who uses documents that are to be deleted.
final class Users {
    private Users() {}

    /// @throws AdminProblem 409 with the users of what `changes` delete, unless these are changed by them too
    static void requireNone(List<DefinitionChange> changes, Snapshot snapshot) {
        Set<String> deleted = new HashSet<>();
        Set<DocumentId> changed = new HashSet<>();
        for (DefinitionChange change : changes) {
            changed.add(change.id());
            DocumentId id = change.id();
            if (id.kind() == DocumentKind.POLICY_SETS && change.after().isEmpty()) deleted.add(id.id());
        }
        if (deleted.isEmpty()) return;
        var users = new ArrayList<ConfigProblem>();
        snapshot.apis().forEach((id, api) -> add(users, DocumentId.api(id), api.uses(), deleted, changed));
        for (PolicySet set : snapshot.sets().all()) {
            add(users, new DocumentId(DocumentKind.POLICY_SETS, set.id()), set.uses(), deleted, changed);
        }
        users.sort(Comparator.comparing(ConfigProblem::pointer));
        if (!users.isEmpty()) throw AdminProblem.conflict(users);
    }

    private static void add(
            List<ConfigProblem> users,
            DocumentId user,
            List<PolicySet> uses,
            Set<String> deleted,
            Set<DocumentId> changed) {
        if (changed.contains(user)) return;
        for (PolicySet set : uses) {
            if (deleted.contains(set.id())) {
                users.add(new ConfigProblem(user.pointer(), "uses the policy set \"" + set.id() + "\""));
            }
        }
    }
}
