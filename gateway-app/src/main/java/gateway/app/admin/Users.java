package gateway.app.admin;

import gateway.config.DefinitionReader;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Who uses documents that are to be deleted.
public final class Users {
    private static final int PAGE = 1000;
    private static final int MOST_NAMED = 10;
    private static final Set<DocumentKind> HOLDERS =
            Set.of(DocumentKind.APIS, DocumentKind.POLICY_SETS, DocumentKind.GLOBAL);

    private final KeyStore keys;
    private final DefinitionReader reader;

    /// @param keys which may use plans
    /// @param reader tells what other documents use
    public Users(KeyStore keys, DefinitionReader reader) {
        this.keys = keys;
        this.reader = reader;
    }

    /// @param after what `changes` make of the definitions
    /// @throws AdminProblem 409 with the users, served or not, that what `changes` delete has after these
    void requireNone(List<DefinitionChange> changes, DefinitionSet after) {
        Set<DocumentId> deleted = changes.stream()
                .filter(change -> change.after().isEmpty())
                .map(DefinitionChange::id)
                .collect(Collectors.toSet());
        if (deleted.isEmpty()) return;
        var users = new ArrayList<ConfigProblem>();
        Set<String> named =
                ids(deleted, Set.of(DocumentKind.POLICY_SETS, DocumentKind.SECRETS, DocumentKind.RESOURCES));
        Set<String> plans = ids(deleted, Set.of(DocumentKind.PLANS));
        if (!named.isEmpty()) addDocuments(users, deleted, named, after);
        if (!plans.isEmpty()) addKeys(users, plans);
        users.sort(Comparator.comparing(ConfigProblem::pointer));
        if (!users.isEmpty()) throw AdminProblem.conflict(users);
    }

    /// @param ids of `deleted`: a document in which none of them stands is not read
    private void addDocuments(
            List<ConfigProblem> users, Set<DocumentId> deleted, Set<String> ids, DefinitionSet after) {
        after.documents().forEach((document, text) -> {
            if (!HOLDERS.contains(document.kind())) return;
            JsonNode json = Json.parse(text);
            if (!holdsOne(json, ids)) return;
            reader.named(document.kind(), json).stream()
                    .filter(deleted::contains)
                    .sorted()
                    .forEach(used -> users.add(new ConfigProblem(document.pointer(), "uses " + used)));
        });
    }

    private static boolean holdsOne(JsonNode json, Set<String> texts) {
        if (json.isString()) return texts.contains(json.stringValue());
        for (JsonNode each : json) if (holdsOne(each, texts)) return true;
        return false;
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

    private static Set<String> ids(Set<DocumentId> documents, Set<DocumentKind> kinds) {
        return documents.stream()
                .filter(each -> kinds.contains(each.kind()))
                .map(DocumentId::id)
                .collect(Collectors.toSet());
    }
}
