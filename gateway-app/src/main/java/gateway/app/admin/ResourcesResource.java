package gateway.app.admin;

import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.Contents;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import java.util.List;

/// Stored resources: `/resources` and `/resources/{id}`. Written and read as they are, told of as JSON.
final class ResourcesResource {
    private final KeptDocuments resources;
    private final Contents contents;

    ResourcesResource(Definitions definitions, Contents contents) {
        this.resources = new KeptDocuments(definitions, DocumentKind.RESOURCES, "resource");
        this.contents = contents;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of(
                                "GET",
                                "/resources",
                                "listResources",
                                "What is told of resources in order of id",
                                call -> resources.page(call, (id, _) -> id, (_, text) -> Json.parse(text)))
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
                AdminRoute.of("DELETE", "/resources/{id}", "deleteResource", "Deletes a resource", resources::delete)
                        .heedingTags()
                        .answering(204, "deleted")
                        .answering(409, "something uses it, or other nodes wrote meanwhile")
                        .askingStore());
    }

    /// No browser makes more of it than bytes.
    private Response get(AdminCall call) {
        String id = call.place("id");
        String text = resources.found(resources.definitions().current(), id);
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
        boolean created = resources.put(call, id, "", precondition, _ -> text).created();
        Response answer = Answers.json(created ? 201 : 200, Json.parse(text)).with("ETag", EntityTag.ofText(text));
        return created ? answer.with("Location", resources.location(id)) : answer;
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
}
