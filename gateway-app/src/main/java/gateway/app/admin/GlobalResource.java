package gateway.app.admin;

import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The policies of every API: `/global`, one document.
final class GlobalResource {
    private static final String WHAT = "document of global policies";

    private final Definitions definitions;

    GlobalResource(Definitions definitions) {
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/global", "getGlobal", "The policies of every API as stored", this::get)
                        .answering(200, "as stored", "Global")
                        .answering(404, "there are none")
                        .tagged(),
                AdminRoute.of("PUT", "/global", "putGlobal", "Replaces the policies of every API", this::put)
                        .taking("Global")
                        .heedingTags()
                        .answering(200, "replaced and live", "Global")
                        .answering(201, "created and live", "Global")
                        .answering(409, "nodes of 0.1 share the store, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("DELETE", "/global", "deleteGlobal", "Takes them from every API", this::delete)
                        .heedingTags()
                        .answering(204, "deleted")
                        .answering(404, "there are none")
                        .answering(409, "other nodes wrote meanwhile")
                        .askingStore());
    }

    private Response get(AdminCall call) {
        return stored(200, found(definitions.current()));
    }

    private Response put(AdminCall call) {
        String text = text(DocumentsResource.withId(call.json(), DocumentId.GLOBAL.id()));
        Precondition precondition = call.precondition();
        var created = new boolean[1];
        definitions.write(call.author(), call.inWords(), base -> {
            Optional<String> before = base.text(DocumentId.GLOBAL);
            precondition.check(WHAT, before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(DocumentId.GLOBAL, before, Optional.of(text)));
        });
        return stored(created[0] ? 201 : 200, text);
    }

    private Response delete(AdminCall call) {
        Precondition precondition = call.precondition();
        definitions.write(call.author(), call.inWords(), base -> {
            String before = found(base);
            precondition.check(WHAT, Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(DocumentId.GLOBAL, Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    private static String found(DefinitionSet set) {
        return set.text(DocumentId.GLOBAL).orElseThrow(() -> AdminProblem.notFound("there is no " + WHAT));
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
