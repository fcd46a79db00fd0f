package gateway.app.admin;

import gateway.config.PolicySet;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Who uses documents that are to be deleted.
final class Users {
    private static final int PAGE = 1000;
    private static final int MOST_NAMED = 10;

    private final KeyStore keys;

    Users(KeyStore keys) {
        this.keys = keys;
    }

    /// @param after what `changes` make of the definitions
    /// @throws AdminProblem 409 with the users of what `changes` delete, unless these are changed by them too
    void requireNone(List<DefinitionChange> changes, Snapshot snapshot, DefinitionSet after) {
        Set<DocumentId> deleted = new HashSet<>();
        Set<DocumentId> changed = new HashSet<>();
        for (DefinitionChange change : changes) {
            changed.add(change.id());
            if (change.after().isEmpty()) deleted.add(change.id());
        }
        if (deleted.isEmpty()) return;
        var users = new ArrayList<ConfigProblem>();
        snapshot.apis().forEach((id, api) -> add(users, DocumentId.api(id), sets(api.uses()), deleted, changed));
        snapshot.sets()
                .global()
                .ifPresent(global -> add(users, DocumentId.GLOBAL, sets(global.uses()), deleted, changed));
        for (PolicySet set : snapshot.sets().all()) {
            add(users, new DocumentId(DocumentKind.POLICY_SETS, set.id()), sets(set.uses()), deleted, changed);
        }
        Set<String> plans = ids(deleted, DocumentKind.PLANS);
        Set<String> secrets = ids(deleted, DocumentKind.SECRETS);
        Set<String> resources = ids(deleted, DocumentKind.RESOURCES);
        if (!secrets.isEmpty()) addReferences(users, DocumentKind.SECRETS, "secret", secrets, after);
        if (!resources.isEmpty()) addReferences(users, DocumentKind.RESOURCES, "resource", resources, after);
        if (!plans.isEmpty()) addKeys(users, plans);
        users.sort(Comparator.comparing(ConfigProblem::pointer));
        if (!users.isEmpty()) throw AdminProblem.conflict(users);
    }

    /// The first few keys that name one of `plans`: their number is not bounded.
    private void addKeys(List<ConfigProblem> users, Set<String> plans) {
        Optional<String> cursor = Optional.of("");
        int found = 0;
        while (cursor.isPresent() && found < MOST_NAMED) {
            KeyPage page = keys.list("", cursor.get(), PAGE);
            for (StoredKey stored : page.keys()) {
                Optional<String> plan = stored.key().plan().filter(plans::contains);
                if (plan.isEmpty() || found++ == MOST_NAMED) continue;
                users.add(new ConfigProblem(
                        "/keys/" + stored.key().id(), "uses " + new DocumentId(DocumentKind.PLANS, plan.get())));
            }
            cursor = page.next();
        }
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

    /// Documents that refer to one of `ids`, whether they are served or not.
    private static void addReferences(
            List<ConfigProblem> users, DocumentKind kind, String member, Set<String> ids, DefinitionSet after) {
        after.documents().forEach((document, text) -> {
            if (document.kind() == DocumentKind.SECRETS || document.kind() == DocumentKind.RESOURCES) return;
            for (JsonNode found : Json.parse(text).findValues(member)) {
                if (!found.isString() || !ids.contains(found.stringValue())) continue;
                users.add(new ConfigProblem(document.pointer(), "uses " + new DocumentId(kind, found.stringValue())));
            }
        });
    }

    private static Set<String> ids(Set<DocumentId> documents, DocumentKind kind) {
        return documents.stream()
                .filter(each -> each.kind() == kind)
                .map(DocumentId::id)
                .collect(Collectors.toSet());
    }

    private static Stream<DocumentId> sets(List<PolicySet> sets) {
        return sets.stream().map(set -> new DocumentId(DocumentKind.POLICY_SETS, set.id()));
    }
}
