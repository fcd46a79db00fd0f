package gateway.app.admin;

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
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// API definitions: `/apis` and `/apis/{id}`.
final class ApisResource {
    private static final long MOST_AT_ONCE = 1000;
    private final Definitions definitions;

    ApisResource(Definitions definitions) {
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/apis", "listApis", "API definitions in order of id", this::list)
                        .knowing("limit", "cursor", "name")
                        .answering(200, "a page of definitions", "ApiPage"),
                AdminRoute.of("POST", "/apis", "createApi", "Creates an API definition", this::create)
                        .taking("Api")
                        .answering(201, "created and live", "Api")
                        .answering(
                                409,
                                "its id is taken, another definition has the same match, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("GET", "/apis/{id}", "getApi", "One API definition as stored", this::get)
                        .answering(200, "the definition", "Api")
                        .tagged(),
                AdminRoute.of("PUT", "/apis/{id}", "putApi", "Replaces an API definition, or creates it", this::put)
                        .taking("Api")
                        .heedingTags()
                        .answering(200, "replaced and live", "Api")
                        .answering(201, "created and live", "Api")
                        .answering(409, "another definition has the same match, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("DELETE", "/apis/{id}", "deleteApi", "Deletes an API definition", this::delete)
                        .heedingTags()
                        .answering(204, "deleted; its requests are answered 404 from now on")
                        .answering(409, "other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        String cursor = call.query().getOrDefault("cursor", "");
        String name = call.query().getOrDefault("name", "");
        DefinitionSet set = definitions.current();
        var items = new ArrayList<JsonNode>();
        String last = "";
        for (String id : set.ids(DocumentKind.APIS)) {
            if (id.compareTo(cursor) <= 0) continue;
            JsonNode document = document(set, id);
            if (!document.path("name").asString("").contains(name)) continue;
            if (items.size() == limit) return Answers.page(items, item -> item, Optional.of(last));
            items.add(document);
            last = id;
        }
        return Answers.page(items, item -> item, Optional.empty());
    }

    private Response get(AdminCall call) {
        String id = call.place("id");
        return stored(200, found(definitions.current(), id));
    }

    private Response create(AdminCall call) {
        JsonNode body = call.json();
        String id = body.path("id").asString("");
        String text = text(body);
        definitions.write(call.author(), "POST apis (" + id + ")", base -> {
            if (base.text(DocumentId.api(id)).isPresent())
                throw AdminProblem.conflict("there is an API \"" + id + "\" already");
            return List.of(new DefinitionChange(DocumentId.api(id), Optional.empty(), Optional.of(text)));
        });
        return stored(201, text).with("Location", AdminRouter.BASE + "/apis/" + id);
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        String text = text(withId(call.json(), id));
        Precondition precondition = call.precondition();
        var created = new boolean[1];
        definitions.write(call.author(), call.inWords(), base -> {
            Optional<String> before = base.text(DocumentId.api(id));
            precondition.check("API \"" + id + "\"", before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(DocumentId.api(id), before, Optional.of(text)));
        });
        if (!created[0]) return stored(200, text);
        return stored(201, text).with("Location", AdminRouter.BASE + "/apis/" + id);
    }

    private Response delete(AdminCall call) {
        String id = call.place("id");
        Precondition precondition = call.precondition();
        definitions.write(call.author(), call.inWords(), base -> {
            String before = found(base, id);
            precondition.check("API \"" + id + "\"", Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(DocumentId.api(id), Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    /// `body` with the id of its URL.
    ///
    /// @throws InvalidConfigException when it has another
    static JsonNode withId(JsonNode body, String id) {
        if (!(body instanceof ObjectNode object)) return body;
        if (!object.has("id")) {
            ObjectNode named = Json.mapper().createObjectNode().put("id", id);
            object.properties().forEach(member -> named.set(member.getKey(), member.getValue()));
            return named;
        }
        if (object.get("id").isString() && object.get("id").stringValue().equals(id)) return body;
        throw new InvalidConfigException("/id", "expected \"" + id + "\" as in the URL, got " + object.get("id"));
    }

    private static JsonNode document(DefinitionSet set, String id) {
        return Json.parse(found(set, id));
    }

    private static String found(DefinitionSet set, String id) {
        return set.text(DocumentId.api(id)).orElseThrow(() -> AdminProblem.notFound("there is no API \"" + id + "\""));
    }

    private static String text(JsonNode body) {
        ConfigNode node = ConfigNode.of(body);
        node.requireObject();
        node.throwIfInvalid();
        return Json.pretty(body);
    }

    private static Response stored(int status, String text) {
        return Answers.json(status, Json.parse(text)).with("ETag", EntityTag.ofText(text));
    }
}
