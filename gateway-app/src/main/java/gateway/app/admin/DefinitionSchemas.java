package gateway.app.admin;

import gateway.app.secrets.WrittenSecret;
import gateway.config.DefinitionReader;
import gateway.config.DescribedDefinitions;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.json.Description;
import gateway.json.JsonSchema;
import gateway.key.ApiKeyJson;
import gateway.key.PlanJson;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of what is stored, as it is read here: policies that a gateway brings itself are among them.
public final class DefinitionSchemas {
    private final DefinitionReader reader;
    private final ReentrantLock describing = new ReentrantLock();
    private List<Documents> kinds = List.of(); // until somebody asks

    /// @param name of the kind, such as `apis`
    /// @param title of its schema
    /// @param component what the OpenAPI document calls it
    private record Documents(String name, String title, String component, Description described) {}

    public DefinitionSchemas(DefinitionReader reader) {
        this.reader = reader;
    }

    /// Whether definitions with these policies can be described in one document.
    ///
    /// @param added readers of some of them, each by itself: in a definition, the first shape
    ///     of a name hides others
    /// @throws IllegalStateException when two schemas have one name
    public static void check(PolicyRegistry registry, List<Consumer<ConfigNode>> added) {
        ObjectNode schemas = OpenApi.schemas();
        new DefinitionSchemas(new DefinitionReader(registry)).addTo(schemas);
        var written = new JsonSchema("#/components/schemas/");
        for (Consumer<ConfigNode> each : added) {
            Description.of(each).shapes().forEach((name, shape) -> put(name, written.write(shape), schemas));
        }
    }

    /// The schema of a kind of documents by itself.
    ///
    /// @param kind such as `apis`
    public Optional<ObjectNode> document(String kind) {
        return kinds().stream()
                .filter(each -> each.name().equals(kind))
                .findFirst()
                .map(each -> JsonSchema.of(each.title(), each.described()));
    }

    /// Adds all of them to those of an OpenAPI document.
    ///
    /// @throws IllegalStateException when two have one name
    void addTo(ObjectNode schemas) {
        var written = new JsonSchema("#/components/schemas/");
        for (Documents each : kinds()) {
            Description description = each.described();
            put(each.component(), written.write(description.root()), schemas);
            description.shapes().forEach((name, shape) -> put(name, written.write(shape), schemas));
        }
        put("Rotation", written.write(Description.of(KeysResource::overlap).root()), schemas);
        put("NewSecret", named(schemas.get("Secret")), schemas);
        put("WrittenKey", warning(schemas.get("Key")), schemas);
        put("WrittenPlan", warning(schemas.get("Plan")), schemas);
        put("IssuedKey", issued(warning(schemas.get("Key"))), schemas);
    }

    private List<Documents> kinds() {
        describing.lock();
        try {
            if (kinds.isEmpty()) kinds = described();
            return kinds;
        } finally {
            describing.unlock();
        }
    }

    private List<Documents> described() {
        DescribedDefinitions definitions = reader.described();
        return List.of(
                new Documents("apis", "API definition", "Api", definitions.api()),
                new Documents("policy-sets", "Policy set", "PolicySet", definitions.set()),
                new Documents("global", "Global policies", "Global", definitions.global()),
                new Documents("plans", "Plan", "Plan", Description.of(PlanJson::read)),
                new Documents("keys", "Key", "Key", Description.of(ApiKeyJson::read)),
                new Documents("secrets", "Secret", "Secret", Description.of(WrittenSecret::read)));
    }

    /// A document whose id nothing else tells.
    private static ObjectNode named(JsonNode written) {
        ObjectNode schema = written.deepCopy().asObject();
        schema.withArrayProperty("required").add("id");
        schema.withObjectProperty("properties").withObjectProperty("id").put("type", "string");
        return schema;
    }

    /// What is answered to a write of `written`.
    private static ObjectNode warning(JsonNode written) {
        ObjectNode schema = written.deepCopy().asObject();
        schema.withObjectProperty("properties").putObject("warnings").put("$ref", "#/components/schemas/Warnings");
        return schema;
    }

    private static ObjectNode issued(ObjectNode key) {
        key.putArray("required").add("secret");
        key.withObjectProperty("properties")
                .putObject("secret")
                .put("type", "string")
                .put("description", "answered this once");
        return key;
    }

    private static void put(String name, ObjectNode schema, ObjectNode schemas) {
        var before = schemas.get(name);
        if (before != null && !before.equals(schema)) throw new IllegalStateException("two schemas are called " + name);
        schemas.set(name, schema);
    }
}
