package gateway.app.admin;

import gateway.http.Response;
import java.util.List;

/// JSON Schemas of what is stored: `/schemas/{name}`.
final class SchemasResource {
    private final DefinitionSchemas schemas;

    SchemasResource(DefinitionSchemas schemas) {
        this.schemas = schemas;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "GET",
                        "/schemas/{name}",
                        "getSchema",
                        "The JSON Schema of a kind of documents: `apis`, `policy-sets`, `global`, `plans`, `keys`, `secrets`",
                        this::get)
                .answering(200, "the schema", "Document"));
    }

    private Response get(AdminCall call) {
        String name = call.place("name");
        return schemas.document(name)
                .map(Answers::ok)
                .orElseThrow(() -> AdminProblem.notFound("there is no schema \"" + name + "\""));
    }
}
