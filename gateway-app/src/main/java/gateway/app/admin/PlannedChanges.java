package gateway.app.admin;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// What several documents are to become together:
/// `{"put": [{"kind": "apis", "document": {…}}], "delete": [{"kind": "policy-sets", "id": "gold"}]}`.
///
/// @param texts of each document; empty to delete it
record PlannedChanges(Map<DocumentId, Optional<String>> texts) {
    private static final int MOST_NAMED = 10;
    private static final String KINDS = Arrays.stream(DocumentKind.values())
            .filter(kind -> kind != DocumentKind.SECRETS)
            .map(kind -> "\"" + kind.text() + "\"")
            .collect(Collectors.joining(", "));

    /// Whether `body` has this form.
    static boolean are(JsonNode body) {
        return body.isObject() && (body.has("put") || body.has("delete"));
    }

    /// @throws gateway.json.InvalidConfigException with everything that is wrong with the form of `body`
    static PlannedChanges read(JsonNode body) {
        var node = ConfigNode.of(body);
        var texts = new LinkedHashMap<DocumentId, Optional<String>>();
        node.requireObject();
        node.field("put")
                .list(entry -> add(texts, entry, entry.field("document").field("id"), text(entry)));
        node.field("delete").list(entry -> add(texts, entry, entry.field("id"), Optional.empty()));
        if (texts.isEmpty() && !node.hasProblems()) node.problem("expected something to put or to delete");
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return new PlannedChanges(texts);
    }

    private static Optional<String> text(ConfigNode entry) {
        ConfigNode document = entry.field("document");
        document.requireObject();
        return document.json().map(Json::pretty);
    }

    private static boolean add(
            Map<DocumentId, Optional<String>> texts, ConfigNode entry, ConfigNode idField, Optional<String> text) {
        if (!entry.requireObject()) return false;
        ConfigNode kindField = entry.field("kind");
        Optional<DocumentKind> kind = DocumentKind.of(kindField.text());
        boolean isGlobal = kind.filter(found -> found == DocumentKind.GLOBAL).isPresent();
        String id = isGlobal ? idField.text(DocumentId.GLOBAL.id()) : idField.requiredText();
        entry.refuseUnknownFields();
        if (kind.isEmpty()) {
            kindField.problem("expected one of " + KINDS);
            return false;
        }
        if (kind.get() == DocumentKind.SECRETS) {
            kindField.problem("expected one of " + KINDS + "; secrets are written one by one, by PUT secrets/{id}");
            return false;
        }
        if (id.isEmpty()) return false;
        var document = new DocumentId(kind.get(), id);
        if (texts.containsKey(document)) entry.problem(document + " stands twice");
        texts.put(document, text);
        return true;
    }

    /// What they change of `base`; what is so already is left out.
    ///
    /// @throws AdminProblem 404 when something to be deleted is not there
    List<DefinitionChange> of(DefinitionSet base) {
        var changes = new ArrayList<DefinitionChange>();
        texts.forEach((id, after) -> {
            Optional<String> before = base.text(id);
            if (before.isEmpty() && after.isEmpty()) throw AdminProblem.notFound("there is no " + id);
            if (!before.equals(after)) changes.add(new DefinitionChange(id, before, after));
        });
        return changes;
    }

    /// The documents in a few words, for revisions and the audit log.
    String inWords() {
        String first = texts.keySet().stream()
                .limit(MOST_NAMED)
                .map(DocumentId::toString)
                .collect(Collectors.joining(", "));
        String all = texts.size() <= MOST_NAMED ? first : first + " and " + (texts.size() - MOST_NAMED) + " more";
        boolean exempt = texts.entrySet().stream()
                .filter(each -> each.getKey().kind() == DocumentKind.APIS)
                .flatMap(each -> each.getValue().stream())
                .anyMatch(text -> !DocumentsResource.exempt(Json.parse(text)).isEmpty());
        return exempt ? all + ", some exempt from global policies" : all;
    }
}
