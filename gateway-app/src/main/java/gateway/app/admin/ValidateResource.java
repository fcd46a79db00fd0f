package gateway.app.admin;

import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// `/validate`: says what storing definitions would do; nothing changes.
final class ValidateResource {
    private final Definitions definitions;

    ValidateResource(Definitions definitions) {
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "POST",
                        "/validate",
                        "validate",
                        "Checks one API definition, an array of them, or changes of several documents, against what is stored; nothing"
                                + " changes",
                        this::validate)
                .needing(AdminRight.READ, AdminRight.WRITE)
                .taking("Validation")
                .answering(200, "it could be stored and served", "Rehearsal")
                .answering(404, "something to be deleted is not there")
                .answering(409, "two definitions have the same match, or something uses what is deleted"));
    }

    private Response validate(AdminCall call) {
        JsonNode body = call.json();
        DefinitionSet base = definitions.current();
        List<DefinitionChange> changes =
                PlannedChanges.are(body) ? PlannedChanges.read(body).of(base) : apis(base, body);
        Snapshot snapshot = definitions.rehearse(base, changes);
        var answer = Json.mapper().createObjectNode().put("valid", true).put("revision", base.revision());
        answer.set("changes", ChangesResource.list(changes));
        var apis = answer.putArray("apis");
        for (DefinitionChange change : changes) {
            if (change.id().kind() != DocumentKind.APIS) continue;
            var api = apis.addObject().put("id", change.id().id()).put("change", ChangesResource.kind(change));
            Optional.ofNullable(snapshot.apis().get(change.id().id()))
                    .flatMap(CompiledApi::route)
                    .ifPresent(route -> api.set("route", SnapshotJson.of(route)));
        }
        return Answers.ok(answer);
    }

    private static List<DefinitionChange> apis(DefinitionSet base, JsonNode body) {
        List<JsonNode> documents = body.isArray() ? body.valueStream().toList() : List.of(body);
        var ids = new LinkedHashSet<String>();
        var changes = new ArrayList<DefinitionChange>();
        for (JsonNode document : documents) {
            if (!document.isObject()) throw new InvalidConfigException("", "expected an object or an array of objects");
            String id = document.path("id").asString("");
            if (!ids.add(id)) throw new InvalidConfigException("", "the id \"" + id + "\" stands twice");
            DocumentId api = DocumentId.api(id);
            changes.add(new DefinitionChange(api, base.text(api), Optional.of(Json.pretty(document))));
        }
        return changes;
    }
}
