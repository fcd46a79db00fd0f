package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DefinitionSet;
import gateway.service.DocumentKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Documents of one kind: `/apis` and `/apis/{id}`, and the same for the others.
final class DocumentsResource {
    private final KeptDocuments documents;
    private final DefinitionSecrets secrets;
    private final Words words;

    /// What a kind is called.
    ///
    /// @param one such as `API`
    /// @param noun such as `API definition`
    /// @param schema of one in the OpenAPI document, which names the operations too
    /// @param conflict what makes a write of one 409 besides other writers
    /// @param gone what a deletion does
    /// @param inUse when a deletion is 409 besides other writers
    private record Words(String one, String noun, String schema, String conflict, String gone, String inUse) {}

    private DocumentsResource(Definitions definitions, DefinitionSecrets secrets, DocumentKind kind, Words words) {
        this.documents = new KeptDocuments(definitions, kind, words.one());
        this.secrets = secrets;
        this.words = words;
    }

    static DocumentsResource ofApis(Definitions definitions, DefinitionSecrets secrets) {
        return new DocumentsResource(
                definitions,
                secrets,
                DocumentKind.APIS,
                new Words(
                        "API",
                        "API definition",
                        "Api",
                        "another definition has the same match, or ",
                        "deleted; its requests are answered 404 from now on",
                        ""));
    }

    static DocumentsResource ofPolicySets(Definitions definitions, DefinitionSecrets secrets) {
        return new DocumentsResource(
                definitions,
                secrets,
                DocumentKind.POLICY_SETS,
                new Words(
                        "policy set",
                        "policy set",
                        "PolicySet",
                        "nodes of 0.1 share the store, or ",
                        "deleted",
                        "something uses it, or "));
    }

    static DocumentsResource ofPlans(Definitions definitions, DefinitionSecrets secrets) {
        return new DocumentsResource(
                definitions,
                secrets,
                DocumentKind.PLANS,
                new Words("plan", "plan", "Plan", "nodes of 0.1 share the store, or ", "deleted", "keys name it, or "));
    }

    List<AdminRoute> routes() {
        String all = "/" + documents.kind().text();
        String one = all + "/{id}";
        String name = words.schema();
        String written = documents.kind() == DocumentKind.PLANS ? "WrittenPlan" : name; // may warn besides
        return List.of(
                AdminRoute.of("GET", all, "list" + name + "s", many() + " in order of id", this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.CURSOR, QueryParameter.NAME)
                        .answering(200, "a page of " + words.noun() + "s", name + "Page"),
                AdminRoute.of(
                                "POST",
                                all,
                                "create" + name,
                                "Creates " + KeptDocuments.article(words.noun()),
                                this::create)
                        .taking(name)
                        .answering(201, "created and live", written)
                        .answering(409, "its id is taken, " + words.conflict() + "other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("GET", one, "get" + name, "One " + words.noun() + " as stored", this::get)
                        .answering(200, "as stored", "Stored" + name)
                        .tagged(),
                AdminRoute.of(
                                "PUT",
                                one,
                                "put" + name,
                                "Replaces " + KeptDocuments.article(words.noun()) + ", or creates it",
                                this::put)
                        .taking(name)
                        .heedingTags()
                        .answering(200, "replaced and live", written)
                        .answering(201, "created and live", written)
                        .answering(409, words.conflict() + "other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of(
                                "DELETE",
                                one,
                                "delete" + name,
                                "Deletes " + KeptDocuments.article(words.noun()),
                                documents::delete)
                        .heedingTags()
                        .answering(204, words.gone())
                        .answering(409, words.inUse() + "other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        return documents.page(
                call,
                (_, text) -> Json.parse(text).path("name").asString(""),
                (id, text) -> secrets.shown(documents.named(id), text));
    }

    private Response get(AdminCall call) {
        String id = call.place("id");
        return stored(200, id, documents.definitions().current());
    }

    /// The id in `document`, empty when there is none that is text.
    static String id(JsonNode document) {
        JsonNode id = document.path("id");
        return id.isString() ? id.stringValue() : "";
    }

    private Response create(AdminCall call) {
        JsonNode body = object(call.json());
        String id = id(body);
        DefinitionSet now = documents.create(
                call, id, exempt(body), () -> secrets.kept(documents.named(id), body, Optional.empty()));
        return written(call, 201, id, now).with("Location", documents.location(id));
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        JsonNode body = object(withId(call.json(), id));
        KeptDocuments.Written written = documents.put(
                call, id, exempt(body), call.precondition(), before -> secrets.kept(documents.named(id), body, before));
        if (!written.created()) return written(call, 200, id, written.set());
        return written(call, 201, id, written.set()).with("Location", documents.location(id));
    }

    /// `body` with the id of its URL, which it may leave out or leave null.
    ///
    /// @throws InvalidConfigException when it has another
    static JsonNode withId(JsonNode body, String id) {
        if (!(body instanceof ObjectNode object)) return body;
        if (!object.hasNonNull("id")) {
            ObjectNode named = Json.mapper().createObjectNode();
            named.put("id", id).setAll(object.deepCopy().without("id"));
            return named;
        }
        if (object.get("id").isString() && object.get("id").stringValue().equals(id)) return body;
        throw new InvalidConfigException("/id", "expected \"" + id + "\" as in the URL, got " + object.get("id"));
    }

    /// What the audit log and revisions tell of an API that does without the global policies.
    static String exempt(JsonNode api) {
        return api.path("exemptFromGlobal").asBoolean(false) ? ", exempt from global policies" : "";
    }

    private String many() {
        return words.noun().substring(0, 1).toUpperCase(Locale.ROOT)
                + words.noun().substring(1) + "s";
    }

    /// @throws InvalidConfigException when it is anything else
    static JsonNode object(JsonNode body) {
        ConfigNode node = ConfigNode.of(body);
        node.requireObject();
        node.throwIfInvalid();
        return body;
    }

    private Response written(AdminCall call, int status, String id, DefinitionSet set) {
        String text = documents.found(set, id);
        JsonNode answer = secrets.shown(documents.named(id), text);
        if (documents.kind() == DocumentKind.PLANS && answer instanceof ObjectNode plan) {
            UnknownGrants unknown = UnknownGrants.of(plan, set);
            unknown.log(call, documents.named(id).toString());
            unknown.addTo(plan);
        }
        return Answers.json(status, answer).with("ETag", EntityTag.ofText(text));
    }

    private Response stored(int status, String id, DefinitionSet set) {
        String text = documents.found(set, id);
        return Answers.json(status, secrets.shown(documents.named(id), text)).with("ETag", EntityTag.ofText(text));
    }
}
