package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentKind;
import gateway.service.Revision;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The definitions' history: `/revisions`, one of them, what lies between two, and the way back to one.
final class RevisionsResource {
    private static final long MOST_AT_ONCE = 1000;
    private static final long LATEST = 999_999_999_999_999_999L;
    private final Definitions definitions;
    private final History history;
    private final DefinitionSecrets secrets;

    RevisionsResource(Definitions definitions, History history, DefinitionSecrets secrets) {
        this.definitions = definitions;
        this.history = history;
        this.secrets = secrets;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/revisions", "listRevisions", "Revisions, newest first", this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.BEFORE)
                        .answering(200, "a page of revisions", "RevisionPage")
                        .askingStore(),
                AdminRoute.of("GET", "/revisions/{n}", "getRevision", "One revision with its changes", this::get)
                        .answering(200, "the revision", "Revision")
                        .askingStore(),
                AdminRoute.of(
                                "GET",
                                "/revisions/{n}/diff",
                                "diffRevisions",
                                "What changes from one revision to another, the current one unless `to` is given",
                                this::diff)
                        .knowing(QueryParameter.TO)
                        .answering(200, "each definition before and after", "Difference")
                        .askingStore(),
                AdminRoute.of(
                                "POST",
                                "/revisions/{n}/rollback",
                                "rollback",
                                "Makes a new revision with the definitions of an earlier one; stored secrets stay as they are",
                                this::rollback)
                        .takingNothing()
                        .heedingTags()
                        .answering(200, "stored and live", "RevisionNumber")
                        .answering(
                                409, "those definitions use a secret that was deleted, or other nodes wrote meanwhile")
                        .answering(422, "those definitions can no longer be served")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        long before = call.query().containsKey("cursor") ? call.number("cursor", 1, LATEST, LATEST) : Long.MAX_VALUE;
        List<Revision> found = history.before(before, limit + 1);
        boolean more = found.size() > limit;
        List<Revision> page = more ? found.subList(0, limit) : found;
        Optional<String> next = more ? Optional.of(Long.toString(page.getLast().number())) : Optional.empty();
        return Answers.page(page, RevisionsResource::summary, next);
    }

    private Response get(AdminCall call) {
        Revision revision = history.revision(number(call));
        ObjectNode answer = summary(revision);
        answer.set("changes", changes(revision.changes()));
        return Answers.ok(answer);
    }

    private Response diff(AdminCall call) {
        long from = existing(number(call));
        long to = existing(call.number("to", 0, LATEST, definitions.current().revision()));
        ObjectNode answer = Json.mapper().createObjectNode().put("from", from).put("to", to);
        answer.set("changes", changes(history.between(from, to)));
        return Answers.ok(answer);
    }

    private Response rollback(AdminCall call) {
        long target = number(call);
        Precondition precondition = call.precondition();
        try {
            DefinitionSet now = definitions.writeAll(call.caller(), call.inWords(), base -> {
                precondition.check("the revision", Optional.of(ChangesResource.tag(base)));
                if (target > base.revision()) throw AdminProblem.notFound("there is no revision " + target);
                List<DefinitionChange> changes = history.between(base.revision(), target).stream()
                        .filter(change -> change.id().kind() != DocumentKind.SECRETS)
                        .map(this::underTheCurrentKey)
                        .filter(change -> !change.before().equals(change.after()))
                        .toList();
                return changes;
            });
            return Answers.ok(Json.mapper().createObjectNode().put("revision", now.revision()))
                    .with("ETag", ChangesResource.tag(now));
        } catch (AdminProblem e) {
            throw lacksSecrets(e) ? AdminProblem.conflict(e.problems()) : e;
        }
    }

    /// What an earlier revision holds sealed may be from before a change of the key.
    private DefinitionChange underTheCurrentKey(DefinitionChange change) {
        Optional<String> after =
                change.after().map(text -> secrets.resealed(change.id(), text).text());
        return new DefinitionChange(change.id(), change.before(), after);
    }

    /// A rollback brings no deleted secret back: what needs one is in conflict with what is stored.
    private static boolean lacksSecrets(AdminProblem refused) {
        return !refused.problems().isEmpty()
                && refused.problems().stream().allMatch(each -> each.message().contains("there is no secret"));
    }

    private long existing(long number) {
        if (number > definitions.current().revision()) throw AdminProblem.notFound("there is no revision " + number);
        return number;
    }

    private static long number(AdminCall call) {
        return AdminCall.number("revision", call.place("n"), 0, LATEST);
    }

    private static ObjectNode summary(Revision revision) {
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("revision", revision.number())
                .put("at", revision.at().toString())
                .put("author", revision.author())
                .put("note", revision.note());
        var apis = json.putArray("apis");
        var documents = json.putArray("documents");
        for (DefinitionChange change : revision.changes()) {
            if (change.id().kind() == DocumentKind.APIS) apis.add(change.id().id());
            documents.add(change.id().toString());
        }
        return json;
    }

    private ArrayNode changes(List<DefinitionChange> changes) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (DefinitionChange change : changes) {
            ObjectNode entry = list.addObject()
                    .put("kind", change.id().kind().text())
                    .put("id", change.id().id());
            change.before().ifPresent(text -> entry.set("before", secrets.shown(change.id(), text)));
            change.after().ifPresent(text -> entry.set("after", secrets.shown(change.id(), text)));
            if (change.id().kind() == DocumentKind.SECRETS) continue;
            if (change.before().isEmpty() || change.after().isEmpty()) continue;
            entry.set(
                    "operations",
                    JsonDifference.between(
                            secrets.shown(change.id(), change.before().get()),
                            secrets.shown(change.id(), change.after().get())));
        }
        return list;
    }
}
