package gateway.service;

import gateway.json.ConfigNode;
import gateway.json.Json;
import java.time.Instant;
import java.util.Optional;

/// Revisions as JSON text, the form in which stores keep them:
/// `{"number": 1, "at": "2026-01-02T03:04:05Z", "author": …, "note": …, "changes": [{"kind", "id", "before",
/// "after"}]}`.
/// `kind` is left out of changes of APIs, as 0.1 wrote them and reads them.
public final class RevisionJson {
    private RevisionJson() {}

    /// On one line.
    public static String write(Revision revision) {
        var json = Json.mapper().createObjectNode();
        json.put("number", revision.number())
                .put("at", revision.at().toString())
                .put("author", revision.author())
                .put("note", revision.note());
        var changes = json.putArray("changes");
        for (DefinitionChange change : revision.changes()) {
            DocumentId document = change.id();
            var entry = changes.addObject();
            if (document.kind() != DocumentKind.APIS)
                entry.put("kind", document.kind().text());
            entry.put("id", document.id());
            change.before().ifPresent(text -> entry.put("before", text));
            change.after().ifPresent(text -> entry.put("after", text));
        }
        return Json.compact(json);
    }

    /// @throws gateway.json.InvalidConfigException when [#write] did not write `node`
    public static Revision read(ConfigNode node) {
        var revision = new Revision(
                node.field("number").integer(1, Long.MAX_VALUE),
                node.field("at").optionalInstant().orElse(Instant.EPOCH),
                node.field("author").text(),
                node.field("note").text(),
                node.field("changes").list(RevisionJson::change));
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return revision;
    }

    private static DefinitionChange change(ConfigNode node) {
        var change = new DefinitionChange(
                new DocumentId(kind(node.field("kind")), node.field("id").requiredText()),
                node.field("before").optionalText(),
                node.field("after").optionalText());
        node.refuseUnknownFields();
        return change;
    }

    private static DocumentKind kind(ConfigNode node) {
        if (!node.isPresent()) return DocumentKind.APIS;
        Optional<DocumentKind> kind = DocumentKind.of(node.text());
        if (kind.isEmpty()) node.problem("expected a kind of documents that this version knows");
        return kind.orElse(DocumentKind.APIS);
    }
}
