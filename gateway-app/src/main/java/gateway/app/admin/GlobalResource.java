package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
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
    private final DefinitionSecrets secrets;

    GlobalResource(Definitions definitions, DefinitionSecrets secrets) {
        this.definitions = definitions;
        this.secrets = secrets;
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
        return stored(200, definitions.current());
    }

    private Response put(AdminCall call) {
        JsonNode body = DocumentsResource.object(DocumentsResource.withId(call.json(), DocumentId.GLOBAL.id()));
        Precondition precondition = call.precondition();
        var created = new boolean[1];
        DefinitionSet now = definitions.write(call.caller(), call.inWords(), base -> {
            Optional<String> before = base.text(DocumentId.GLOBAL);
            precondition.check(WHAT, before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            String text = secrets.kept(DocumentId.GLOBAL, body, before);
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(DocumentId.GLOBAL, before, Optional.of(text)));
        });
        return created[0] ? stored(201, now).with("Location", AdminRouter.BASE + "/global") : stored(200, now);
    }

    private Response delete(AdminCall call) {
        Precondition precondition = call.precondition();
        definitions.write(call.caller(), call.inWords(), base -> {
            String before = found(base);
            precondition.check(WHAT, Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(DocumentId.GLOBAL, Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    private static String found(DefinitionSet set) {
        return set.text(DocumentId.GLOBAL).orElseThrow(() -> AdminProblem.notFound("there is no " + WHAT));
    }

    private Response stored(int status, DefinitionSet set) {
        String text = found(set);
        return Answers.json(status, secrets.shown(DocumentId.GLOBAL, text)).with("ETag", EntityTag.ofText(text));
    }
}
