package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.Snapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// `/validate`: says what storing definitions would do; nothing changes.
final class ValidateResource {
    private final Definitions definitions;
    private final DefinitionSecrets secrets;

    ValidateResource(Definitions definitions, DefinitionSecrets secrets) {
        this.definitions = definitions;
        this.secrets = secrets;
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
                .takingMany("Validation")
                .answering(200, "it could be stored and served", "Rehearsal")
                .answering(404, "something to be deleted is not there")
                .answering(409, "two definitions have the same match, or something uses what is deleted"));
    }

    private Response validate(AdminCall call) {
        JsonNode body = call.json();
        DefinitionSet base = definitions.current();
        PlannedChanges planned = PlannedChanges.are(body) ? PlannedChanges.read(body) : apis(body);
        requireRights(planned, call.caller());
        List<DefinitionChange> changes =
                CarriedScripts.allowed(call.caller(), base, planned.of(base, secrets::rehearsed));
        Snapshot snapshot = rehearsed(planned, base, changes);
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
        UnknownGrants.of(planned, DefinitionRehearsal.applied(base, changes, base.revision()))
                .addTo(answer);
        return Answers.ok(answer);
    }

    private Snapshot rehearsed(PlannedChanges planned, DefinitionSet base, List<DefinitionChange> changes) {
        try {
            return definitions.rehearse(base, changes);
        } catch (AdminProblem e) {
            throw planned.alone() ? RefusedChange.within(changes, e) : e;
        }
    }

    /// What a definition asks of the process, a variable or a file, is there or is not: that is for those who could
    /// learn it by storing the definition, and for those who look after secrets.
    private void requireRights(PlannedChanges planned, AdminCaller caller) {
        planned.documents().forEach((id, written) -> {
            if (id.kind() == DocumentKind.SECRETS) caller.requireOneOf(Set.of(AdminRight.SECRETS));
            if (written.filter(document -> secrets.asksProcess(id, document)).isEmpty()) return;
            caller.requireOneOf(Set.of(AdminRight.WRITE, AdminRight.SECRETS));
        });
    }

    private static PlannedChanges apis(JsonNode body) {
        List<JsonNode> documents = body.isArray() ? body.valueStream().toList() : List.of(body);
        var written = new LinkedHashMap<DocumentId, Optional<JsonNode>>();
        for (JsonNode document : documents) {
            if (!document.isObject()) throw new InvalidConfigException("", "expected an object or an array of objects");
            String id = DocumentsResource.id(document);
            if (written.put(DocumentId.api(id), Optional.of(document)) == null) continue;
            throw new InvalidConfigException("", "the id \"" + id + "\" stands twice");
        }
        return new PlannedChanges(written, body.isObject());
    }
}
