package gateway.policies.message.openapi;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policies.message.schema.SchemaDocument;
import gateway.policies.message.schema.SchemaDraft;
import gateway.policies.message.schema.SchemaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A document of OpenAPI 3.0 or 3.1 while it is compiled. Its references lead within it or nowhere.
final class OpenApiDocument {
    private static final int FURTHEST = 16; // references after each other
    private static final int MOST_PROBLEMS = 50;

    private final JsonNode root;
    private final String pointer;
    private final SchemaSet schemas;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private OpenApiDocument(JsonNode root, String pointer, SchemaSet schemas) {
        this.root = root;
        this.pointer = pointer;
        this.schemas = schemas;
    }

    /// @param pointer where the document stands in the policy, for what is told of it
    /// @throws InvalidConfigException when it is of another edition
    static OpenApiDocument of(JsonNode root, String pointer, boolean formats) {
        SchemaDraft draft = draft(root, pointer);
        var document = new SchemaDocument("openapi:/document", root, pointer);
        return new OpenApiDocument(root, pointer, SchemaSet.of(document, draft, formats));
    }

    private static SchemaDraft draft(JsonNode root, String pointer) {
        String edition = root.path("openapi").asString("");
        if (edition.startsWith("3.0.")) return SchemaDraft.OPENAPI_3_0;
        if (!edition.startsWith("3.1.")) {
            String got = root.path("swagger").isString()
                    ? "Swagger " + root.get("swagger").stringValue()
                    : edition;
            throw new InvalidConfigException(
                    pointer + "/openapi",
                    "expected OpenAPI 3.0 or 3.1, got \"" + got + "\": convert the document first");
        }
        String dialect = root.path("jsonSchemaDialect").asString("");
        if (dialect.isEmpty()) return SchemaDraft.DRAFT_2020_12;
        return SchemaDraft.of(dialect)
                .orElseThrow(() -> new InvalidConfigException(
                        pointer + "/jsonSchemaDialect", "expected a dialect of JSON Schema that is known"));
    }

    DocumentPlace root() {
        return new DocumentPlace(root, "");
    }

    SchemaSet schemas() {
        return schemas;
    }

    void problem(DocumentPlace at, String message) {
        if (problems.size() < MOST_PROBLEMS) problems.add(new ConfigProblem(pointer + at.pointer(), message));
    }

    /// What stands at `place`, or where the reference leads that stands there; empty when that is nowhere, which is
    /// told.
    Optional<DocumentPlace> resolved(DocumentPlace place) {
        DocumentPlace at = place;
        for (int i = 0; i < FURTHEST; i++) {
            if (!at.tree().path("$ref").isString()) return Optional.of(at);
            Optional<DocumentPlace> next = referred(at.text("$ref"));
            if (next.isEmpty()) {
                problem(place, "expected a reference within the document, got \"" + at.text("$ref") + '"');
                return Optional.empty();
            }
            at = next.get();
        }
        problem(place, "expected at most " + FURTHEST + " references after each other");
        return Optional.empty();
    }

    /// The same for a schema, whose compiler tells of references that lead nowhere.
    JsonNode target(JsonNode schema) {
        JsonNode at = schema;
        for (int i = 0; i < FURTHEST; i++) {
            if (!at.path("$ref").isString()) return at;
            Optional<DocumentPlace> next = referred(at.get("$ref").stringValue());
            if (next.isEmpty()) return at;
            at = next.get().tree();
        }
        return at;
    }

    private Optional<DocumentPlace> referred(String reference) {
        if (!reference.startsWith("#/")) return Optional.empty();
        Optional<String> fragment = PercentText.decoded(reference.substring(2), false);
        if (fragment.isEmpty()) return Optional.empty();
        DocumentPlace at = root();
        for (String step : fragment.get().split("/", -1)) {
            String name = step.replace("~1", "/").replace("~0", "~");
            at = at.tree().isArray() && name.matches("[0-9]{1,7}") ? at.at(Integer.parseInt(name)) : at.at(name);
            if (at.tree().isMissingNode()) return Optional.empty();
        }
        return Optional.of(at);
    }

    /// @throws InvalidConfigException with each thing wrong that was found
    void complete() {
        try {
            schemas.complete();
        } catch (InvalidConfigException e) {
            problems.addAll(e.problems());
        }
        if (!problems.isEmpty())
            throw new InvalidConfigException(
                    problems.size() <= MOST_PROBLEMS ? problems : problems.subList(0, MOST_PROBLEMS));
    }
}
