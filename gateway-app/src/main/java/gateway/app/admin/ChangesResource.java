package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/// `/changes`: several documents at once, all or nothing, in one revision.
final class ChangesResource {
    private final Definitions definitions;
    private final DefinitionSecrets secrets;

    ChangesResource(Definitions definitions, DefinitionSecrets secrets) {
        this.definitions = definitions;
        this.secrets = secrets;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "POST",
                        "/changes",
                        "changeDocuments",
                        "Stores and deletes several documents in one revision, all or nothing",
                        this::change)
                .needing(AdminRight.WRITE, AdminRight.SECRETS)
                .takingMany("Changes")
                .heedingTags()
                .answering(200, "stored and live", "Changed")
                .answering(404, "something to be deleted is not there")
                .answering(
                        409,
                        "two definitions have the same match, something uses what is deleted, or other nodes wrote")
                .askingStore());
    }

    /// `If-Match` is on the revision that the changes were made for.
    private Response change(AdminCall call) {
        PlannedChanges planned = PlannedChanges.read(call.json());
        planned.requireRights(call.caller());
        Precondition precondition = call.precondition();
        var done = new ArrayList<DefinitionChange>();
        DefinitionSet now = definitions.writeAll(call.caller(), "POST changes (" + planned.inWords() + ")", base -> {
            precondition.check("the revision", Optional.of(tag(base)));
            done.clear(); // another node may have written since
            done.addAll(planned.of(base, secrets::kept));
            return done;
        });
        var answer = Json.mapper().createObjectNode().put("revision", now.revision());
        answer.set("changes", list(done));
        UnknownGrants unknown = UnknownGrants.of(planned, now);
        unknown.log(call, "changes");
        unknown.addTo(answer);
        return Answers.ok(answer).with("ETag", tag(now));
    }

    /// Each with what becomes of it.
    static ArrayNode list(List<DefinitionChange> changes) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (DefinitionChange change : changes) {
            list.addObject()
                    .put("kind", change.id().kind().text())
                    .put("id", change.id().id())
                    .put("change", kind(change));
        }
        return list;
    }

    static String kind(DefinitionChange change) {
        if (change.before().isEmpty()) return "create";
        if (change.after().isEmpty()) return "delete";
        return change.before().equals(change.after()) ? "none" : "replace";
    }

    /// Of the revision.
    static String tag(DefinitionSet set) {
        return EntityTag.ofVersion(Long.toString(set.revision()));
    }
}
