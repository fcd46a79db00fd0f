package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Documents of one kind: `/apis` and `/apis/{id}`, and the same for the others.
final class DocumentsResource {
    private static final long MOST_AT_ONCE = 1000;

    private final Definitions definitions;
    private final DefinitionSecrets secrets;
    private final DocumentKind kind;
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
        this.definitions = definitions;
        this.secrets = secrets;
        this.kind = kind;
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
        String all = "/" + kind.text();
        String one = all + "/{id}";
        String name = words.schema();
        String written = kind == DocumentKind.PLANS ? "WrittenPlan" : name; // may warn besides
        return List.of(
                AdminRoute.of("GET", all, "list" + name + "s", many() + " in order of id", this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.CURSOR, QueryParameter.NAME)
                        .answering(200, "a page of " + words.noun() + "s", name + "Page"),
                AdminRoute.of("POST", all, "create" + name, "Creates " + article(words.noun()), this::create)
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
                                "Replaces " + article(words.noun()) + ", or creates it",
                                this::put)
                        .taking(name)
                        .heedingTags()
                        .answering(200, "replaced and live", written)
                        .answering(201, "created and live", written)
                        .answering(409, words.conflict() + "other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("DELETE", one, "delete" + name, "Deletes " + article(words.noun()), this::delete)
                        .heedingTags()
                        .answering(204, words.gone())
                        .answering(409, words.inUse() + "other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        String cursor = call.query().getOrDefault("cursor", "");
        String name = call.query().getOrDefault("name", "");
        DefinitionSet set = definitions.current();
        var items = new ArrayList<JsonNode>();
        String last = "";
        for (String id : set.ids(kind)) {
            if (id.compareTo(cursor) <= 0) continue;
            String text = found(set, id);
            if (!Json.parse(text).path("name").asString("").contains(name)) continue;
            if (items.size() == limit) return Answers.page(items, item -> item, Optional.of(last));
            items.add(secrets.shown(document(id), text));
            last = id;
        }
        return Answers.page(items, item -> item, Optional.empty());
    }

    private Response get(AdminCall call) {
        String id = call.place("id");
        return stored(200, id, definitions.current());
    }

    /// The id in `document`, empty when there is none that is text.
    static String id(JsonNode document) {
        JsonNode id = document.path("id");
        return id.isString() ? id.stringValue() : "";
    }

    private Response create(AdminCall call) {
        JsonNode body = object(call.json());
        String id = id(body);
        DefinitionSet now =
                definitions.write(call.caller(), "POST " + kind.text() + " (" + id + ")" + exempt(body), base -> {
                    if (base.text(document(id)).isPresent()) {
                        throw AdminProblem.conflict("there is " + article(words.one()) + " \"" + id + "\" already");
                    }
                    String text = secrets.kept(document(id), body, Optional.empty());
                    return List.of(new DefinitionChange(document(id), Optional.empty(), Optional.of(text)));
                });
        return written(call, 201, id, now).with("Location", location(id));
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        JsonNode body = object(withId(call.json(), id));
        Precondition precondition = call.precondition();
        var created = new boolean[1];
        DefinitionSet now = definitions.write(call.caller(), call.inWords() + exempt(body), base -> {
            Optional<String> before = base.text(document(id));
            precondition.check(words.one() + " \"" + id + "\"", before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            String text = secrets.kept(document(id), body, before);
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(document(id), before, Optional.of(text)));
        });
        if (!created[0]) return written(call, 200, id, now);
        return written(call, 201, id, now).with("Location", location(id));
    }

    private Response delete(AdminCall call) {
        String id = call.place("id");
        Precondition precondition = call.precondition();
        definitions.write(call.caller(), call.inWords(), base -> {
            String before = found(base, id);
            precondition.check(words.one() + " \"" + id + "\"", Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(document(id), Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
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

    private DocumentId document(String id) {
        return new DocumentId(kind, id);
    }

    private String location(String id) {
        return AdminRouter.BASE + "/" + document(id);
    }

    private String found(DefinitionSet set, String id) {
        return set.text(document(id))
                .orElseThrow(() -> AdminProblem.notFound("there is no " + words.one() + " \"" + id + "\""));
    }

    private String many() {
        return words.noun().substring(0, 1).toUpperCase(Locale.ROOT)
                + words.noun().substring(1) + "s";
    }

    private static String article(String noun) {
        return (noun.startsWith("A") ? "an " : "a ") + noun;
    }

    /// @throws InvalidConfigException when it is anything else
    static JsonNode object(JsonNode body) {
        ConfigNode node = ConfigNode.of(body);
        node.requireObject();
        node.throwIfInvalid();
        return body;
    }

    private Response written(AdminCall call, int status, String id, DefinitionSet set) {
        String text = found(set, id);
        JsonNode answer = secrets.shown(document(id), text);
        if (kind == DocumentKind.PLANS && answer instanceof ObjectNode plan) {
            UnknownGrants unknown = UnknownGrants.of(plan, set);
            unknown.log(call, document(id).toString());
            unknown.addTo(plan);
        }
        return Answers.json(status, answer).with("ETag", EntityTag.ofText(text));
    }

    private Response stored(int status, String id, DefinitionSet set) {
        String text = found(set, id);
        return Answers.json(status, secrets.shown(document(id), text)).with("ETag", EntityTag.ofText(text));
    }
}
