package gateway.app.admin;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// What several documents are to become together:
/// `{"put": [{"kind": "apis", "document": {…}}], "delete": [{"kind": "policy-sets", "id": "gold"}]}`.
///
/// @param documents as they were written; empty to delete one
/// @param alone whether the body is the one document itself, so that pointers of problems begin in it; else they name
///     the document, also where only one changes
record PlannedChanges(Map<DocumentId, Optional<JsonNode>> documents, boolean alone) {
    private static final int MOST_NAMED = 10;
    private static final int MOST_BYTES = AdminHandler.MAX_BODY_BYTES;
    private static final String KINDS = Arrays.stream(DocumentKind.values())
            .map(kind -> "\"" + kind.text() + "\"")
            .collect(Collectors.joining(", "));

    /// What is kept of a document.
    @FunctionalInterface
    interface Keeping {
        /// @param before what is kept of it now
        /// @throws InvalidConfigException when it cannot be kept
        String kept(DocumentId id, JsonNode written, Optional<String> before);
    }

    /// Whether `body` has this form.
    static boolean are(JsonNode body) {
        return body.isObject() && (body.has("put") || body.has("delete"));
    }

    /// @throws InvalidConfigException with everything that is wrong with the form of `body`
    static PlannedChanges read(JsonNode body) {
        var node = ConfigNode.of(body);
        var documents = new LinkedHashMap<DocumentId, Optional<JsonNode>>();
        node.requireObject();
        node.field("put")
                .list(entry -> add(documents, entry, entry.field("document").field("id"), document(entry)));
        node.field("delete").list(entry -> add(documents, entry, entry.field("id"), Optional.empty()));
        if (documents.isEmpty() && !node.hasProblems()) node.problem("expected something to put or to delete");
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return new PlannedChanges(documents, false);
    }

    private static Optional<JsonNode> document(ConfigNode entry) {
        ConfigNode document = entry.field("document");
        document.requireObject();
        return document.json();
    }

    private static boolean add(
            Map<DocumentId, Optional<JsonNode>> documents,
            ConfigNode entry,
            ConfigNode idField,
            Optional<JsonNode> written) {
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
        if (id.isEmpty()) return false;
        var document = new DocumentId(kind.get(), id);
        if (documents.containsKey(document)) entry.problem(document + " stands twice");
        documents.put(document, written);
        return true;
    }

    /// What they change of `base`; what is so already is left out.
    ///
    /// @throws AdminProblem 404 when something to be deleted is not there
    /// @throws InvalidConfigException with every document that cannot be kept
    List<DefinitionChange> of(DefinitionSet base, Keeping keeping) {
        var changes = new ArrayList<DefinitionChange>();
        var problems = new ArrayList<ConfigProblem>();
        documents.forEach((id, written) -> {
            Optional<String> before = base.text(id);
            if (before.isEmpty() && written.isEmpty()) throw AdminProblem.notFound("there is no " + id);
            try {
                Optional<String> after = written.map(document -> bounded(keeping.kept(id, document, before)));
                if (!before.equals(after)) changes.add(new DefinitionChange(id, before, after));
            } catch (InvalidConfigException e) {
                problems.addAll(placed(id, e.problems()));
            }
        });
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return changes;
    }

    /// One alone could not be written larger, nor be read from its file.
    private static String bounded(String kept) {
        if (kept.length() <= MOST_BYTES / 3) return kept; // no character takes more than three
        int bytes = kept.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES)
            throw new InvalidConfigException("", "expected at most 4 MiB for one document, got " + bytes + " bytes");
        return kept;
    }

    private List<ConfigProblem> placed(DocumentId id, List<ConfigProblem> problems) {
        if (alone) return problems;
        return problems.stream()
                .map(each -> new ConfigProblem(id.pointer() + each.pointer(), each.message()))
                .toList();
    }

    /// Secrets are for those who may store them, everything else for those who may write.
    ///
    /// @throws AdminProblem 403
    void requireRights(AdminCaller caller) {
        for (DocumentId id : documents.keySet()) {
            caller.requireOneOf(Set.of(id.kind() == DocumentKind.SECRETS ? AdminRight.SECRETS : AdminRight.WRITE));
        }
    }

    /// The documents in a few words, for revisions and the audit log.
    String inWords() {
        String first = documents.keySet().stream()
                .limit(MOST_NAMED)
                .map(DocumentId::toString)
                .collect(Collectors.joining(", "));
        String all =
                documents.size() <= MOST_NAMED ? first : first + " and " + (documents.size() - MOST_NAMED) + " more";
        boolean exempt = documents.entrySet().stream()
                .filter(each -> each.getKey().kind() == DocumentKind.APIS)
                .flatMap(each -> each.getValue().stream())
                .anyMatch(document -> !DocumentsResource.exempt(document).isEmpty());
        return exempt ? all + ", some exempt from global policies" : all;
    }
}
