package gateway.app.admin;

import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.Contents;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Stored resources: `/resources` and `/resources/{id}`. Written and read as they are, told of as JSON.
final class ResourcesResource {
    private static final int MOST_AT_ONCE = 1000;

    private final Definitions definitions;
    private final Contents contents;

    ResourcesResource(Definitions definitions, Contents contents) {
        this.definitions = definitions;
        this.contents = contents;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of(
                                "GET",
                                "/resources",
                                "listResources",
                                "What is told of resources in order of id",
                                this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.CURSOR, QueryParameter.NAME)
                        .answering(200, "a page without contents", "ResourcePage"),
                AdminRoute.of("GET", "/resources/{id}", "getResource", "The content of a resource", this::get)
                        .answering(200, "as it was stored", OpenApi.CONTENT)
                        .tagged()
                        .askingStore(),
                AdminRoute.of(
                                "PUT",
                                "/resources/{id}",
                                "putResource",
                                "Replaces the content of a resource, or creates it; what uses it has the new one from the"
                                        + " answer on",
                                this::put)
                        .taking(OpenApi.CONTENT)
                        .heedingTags()
                        .answering(200, "replaced and live", "Resource")
                        .answering(201, "stored and live", "Resource")
                        .answering(409, "nodes of 0.1 share the store, or other nodes wrote meanwhile")
                        .askingStore(),
                AdminRoute.of("DELETE", "/resources/{id}", "deleteResource", "Deletes a resource", this::delete)
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
        for (String id : set.ids(DocumentKind.RESOURCES)) {
            if (id.compareTo(cursor) <= 0 || !id.contains(name)) continue;
            if (items.size() == limit) return Answers.page(items, item -> item, Optional.of(last));
            items.add(Json.parse(found(set, id)));
            last = id;
        }
        return Answers.page(items, item -> item, Optional.empty());
    }

    /// No browser makes more of it than bytes.
    private Response get(AdminCall call) {
        String id = call.place("id");
        String text = found(definitions.current(), id);
        ResourceDocument document = ResourceDocument.read(text);
        byte[] content = contents.find(document.sha256())
                .orElseThrow(() -> AdminProblem.notFound("the content of the resource \"" + id + "\" is lost"));
        return Response.of(200, document.contentType(), content)
                .with("ETag", EntityTag.ofText(text))
                .with("X-Content-Type-Options", "nosniff")
                .with("Content-Security-Policy", "sandbox");
    }

    /// The content is kept first, so that no document names what is not there.
    private Response put(AdminCall call) {
        ResourceDocument document = document(call);
        String text = document.json();
        String id = document.id();
        Precondition precondition = call.precondition();
        contents.keep(call.content());
        var created = new boolean[1];
        definitions.write(call.caller(), call.inWords(), base -> {
            Optional<String> before = base.text(named(id));
            precondition.check("resource \"" + id + "\"", before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(named(id), before, Optional.of(text)));
        });
        Response answer = Answers.json(created[0] ? 201 : 200, Json.parse(text)).with("ETag", EntityTag.ofText(text));
        return created[0] ? answer.with("Location", AdminRouter.BASE + "/" + named(id)) : answer;
    }

    private static ResourceDocument document(AdminCall call) {
        String id = call.place("id");
        if (!DocumentId.FORM.matcher(id).matches()) {
            throw new InvalidConfigException(
                    "/id", "expected 1 to 128 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
        String type = call.request().headers().first("Content-Type").orElse("");
        if (!type.isEmpty() && !ResourceDocument.isMediaType(type)) {
            throw new InvalidConfigException("/contentType", "expected a media type such as \"application/xml\"");
        }
        return ResourceDocument.of(id, type, call.content());
    }

    private Response delete(AdminCall call) {
        String id = call.place("id");
        Precondition precondition = call.precondition();
        definitions.write(call.caller(), call.inWords(), base -> {
            String before = found(base, id);
            precondition.check("resource \"" + id + "\"", Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(named(id), Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    private static String found(DefinitionSet set, String id) {
        return set.text(named(id)).orElseThrow(() -> AdminProblem.notFound("there is no resource \"" + id + "\""));
    }

    private static DocumentId named(String id) {
        return new DocumentId(DocumentKind.RESOURCES, id);
    }
}
