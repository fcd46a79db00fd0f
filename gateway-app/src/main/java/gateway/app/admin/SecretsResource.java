package gateway.app.admin;

import gateway.app.secrets.SecretDocuments;
import gateway.http.Response;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Stored secrets: `/secrets` and `/secrets/{id}`. What is written is sealed before it goes anywhere, and only a mask
/// of it is ever shown.
final class SecretsResource {
    private static final int MOST_AT_ONCE = 1000;

    private final Definitions definitions;
    private final SecretDocuments documents;

    SecretsResource(Definitions definitions, SecretDocuments documents) {
        this.definitions = definitions;
        this.documents = documents;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/secrets", "listSecrets", "Secrets in order of id, masked", this::list)
                        .needing(AdminRight.READ, AdminRight.SECRETS)
                        .knowing(QueryParameter.LIMIT, QueryParameter.CURSOR, QueryParameter.NAME)
                        .answering(200, "a page of masked secrets", "SecretPage"),
                AdminRoute.of("POST", "/secrets", "createSecret", "Stores a secret, sealed", this::create)
                        .needing(AdminRight.SECRETS)
                        .taking("NewSecret")
                        .answering(201, "stored and live, masked", "Secret")
                        .answering(409, "its id is taken, nodes of 0.1 share the store, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("GET", "/secrets/{id}", "getSecret", "One secret, masked", this::get)
                        .needing(AdminRight.READ, AdminRight.SECRETS)
                        .answering(200, "its mask", "Secret")
                        .tagged(),
                AdminRoute.of(
                                "PUT",
                                "/secrets/{id}",
                                "putSecret",
                                "Replaces a secret, or creates it; what uses it has the new one from the answer on",
                                this::put)
                        .needing(AdminRight.SECRETS)
                        .taking("Secret")
                        .heedingTags()
                        .answering(200, "replaced and live, masked", "Secret")
                        .answering(201, "stored and live, masked", "Secret")
                        .answering(409, "nodes of 0.1 share the store, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("DELETE", "/secrets/{id}", "deleteSecret", "Deletes a secret", this::delete)
                        .needing(AdminRight.SECRETS)
                        .heedingTags()
                        .answering(204, "deleted")
                        .answering(409, "something uses it, or other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        String cursor = call.query().getOrDefault("cursor", "");
        String name = call.query().getOrDefault("name", "");
        DefinitionSet set = definitions.current();
        var items = new ArrayList<JsonNode>();
        String last = "";
        for (String id : set.ids(DocumentKind.SECRETS)) {
            if (id.compareTo(cursor) <= 0 || !id.contains(name)) continue;
            if (items.size() == limit) return Answers.page(items, item -> item, Optional.of(last));
            items.add(documents.shown(id, found(set, id)));
            last = id;
        }
        return Answers.page(items, item -> item, Optional.empty());
    }

    private Response get(AdminCall call) {
        String id = call.place("id");
        return shown(200, id, found(definitions.current(), id));
    }

    private Response create(AdminCall call) {
        JsonNode body = call.json();
        String id = DocumentsResource.id(body);
        DefinitionSet now = definitions.write(call.caller(), "POST secrets (" + id + ")", base -> {
            if (base.text(document(id)).isPresent()) {
                throw AdminProblem.conflict("there is a secret \"" + id + "\" already");
            }
            return List.of(new DefinitionChange(
                    document(id), Optional.empty(), Optional.of(documents.sealed(id, body, Optional.empty()))));
        });
        return shown(201, id, found(now, id)).with("Location", location(id));
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        JsonNode body = DocumentsResource.withId(call.json(), id);
        Precondition precondition = call.precondition();
        var created = new boolean[1];
        DefinitionSet now = definitions.write(call.caller(), call.inWords(), base -> {
            Optional<String> before = base.text(document(id));
            precondition.check("secret \"" + id + "\"", before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            String after = documents.sealed(id, body, before);
            return before.equals(Optional.of(after))
                    ? List.of()
                    : List.of(new DefinitionChange(document(id), before, Optional.of(after)));
        });
        Response answer = shown(created[0] ? 201 : 200, id, found(now, id));
        return created[0] ? answer.with("Location", location(id)) : answer;
    }

    private Response delete(AdminCall call) {
        String id = call.place("id");
        Precondition precondition = call.precondition();
        definitions.write(call.caller(), call.inWords(), base -> {
            String before = found(base, id);
            precondition.check("secret \"" + id + "\"", Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(document(id), Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    private Response shown(int status, String id, String kept) {
        return Answers.json(status, documents.shown(id, kept)).with("ETag", EntityTag.ofText(kept));
    }

    private static String found(DefinitionSet set, String id) {
        return set.text(document(id)).orElseThrow(() -> AdminProblem.notFound("there is no secret \"" + id + "\""));
    }

    private static String location(String id) {
        return AdminRouter.BASE + "/" + document(id);
    }

    private static DocumentId document(String id) {
        return new DocumentId(DocumentKind.SECRETS, id);
    }
}
