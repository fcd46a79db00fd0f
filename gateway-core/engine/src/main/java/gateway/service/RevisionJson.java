package gateway.service;

import gateway.json.ConfigNode;
import gateway.json.Json;
import java.time.Instant;

/// Revisions as JSON text, the form in which stores keep them:
/// `{"number": 1, "at": "2026-01-02T03:04:05Z", "author": …, "note": …, "changes": [{"id", "before", "after"}]}`.
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
            var entry = changes.addObject().put("id", change.id());
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
                node.field("id").requiredText(),
                node.field("before").optionalText(),
                node.field("after").optionalText());
        node.refuseUnknownFields();
        return change;
    }
}
