package gateway.app.admin;

import gateway.app.secrets.SecretDocuments;
import gateway.http.Response;
import gateway.service.DefinitionSet;
import gateway.service.DocumentKind;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Stored secrets: `/secrets` and `/secrets/{id}`. What is written is sealed before it goes anywhere, and only a mask
/// of it is ever shown.
final class SecretsResource {
    private final KeptDocuments secrets;
    private final SecretDocuments documents;

    SecretsResource(Definitions definitions, SecretDocuments documents) {
        this.secrets = new KeptDocuments(definitions, DocumentKind.SECRETS, "secret");
        this.documents = documents;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of(
                                "GET",
                                "/secrets",
                                "listSecrets",
                                "Secrets in order of id, masked",
                                call -> secrets.page(call, (id, _) -> id, documents::shown))
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
                AdminRoute.of("DELETE", "/secrets/{id}", "deleteSecret", "Deletes a secret", secrets::delete)
                        .needing(AdminRight.SECRETS)
                        .heedingTags()
                        .answering(204, "deleted")
                        .answering(409, "something uses it, or other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response get(AdminCall call) {
        return shown(200, call.place("id"), secrets.definitions().current());
    }

    private Response create(AdminCall call) {
        JsonNode body = call.json();
        String id = DocumentsResource.id(body);
        DefinitionSet now = secrets.create(call, id, "", () -> documents.sealed(id, body, Optional.empty()));
        return shown(201, id, now).with("Location", secrets.location(id));
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        JsonNode body = DocumentsResource.withId(call.json(), id);
        KeptDocuments.Written written =
                secrets.put(call, id, "", call.precondition(), before -> documents.sealed(id, body, before));
        if (!written.created()) return shown(200, id, written.set());
        return shown(201, id, written.set()).with("Location", secrets.location(id));
    }

    private Response shown(int status, String id, DefinitionSet set) {
        String kept = secrets.found(set, id);
        return Answers.json(status, documents.shown(id, kept)).with("ETag", EntityTag.ofText(kept));
    }
}
