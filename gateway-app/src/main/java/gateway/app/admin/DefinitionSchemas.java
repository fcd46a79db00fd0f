package gateway.app.admin;

import gateway.config.DefinitionReader;
import gateway.json.Description;
import gateway.json.JsonSchema;
import gateway.json.Shape;
import gateway.key.ApiKeyJson;
import gateway.key.PlanJson;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of what is stored, as it is read here: policies that a gateway brings itself are among them.
public final class DefinitionSchemas {
    private static final Description PLANS = Description.of(PlanJson::read);
    private static final Description KEYS = Description.of(ApiKeyJson::read);
    private static final String API = "Api";
    private static final String KEY = "Key";
    private static final String POLICY_SET = "PolicySet";
    private static final String GLOBAL = "Global";

    private final DefinitionReader reader;

    public DefinitionSchemas(DefinitionReader reader) {
        this.reader = reader;
    }

    /// The schema of a kind of documents by itself.
    ///
    /// @param kind such as `apis`
    public Optional<ObjectNode> document(String kind) {
        return switch (kind) {
            case "apis" -> Optional.of(JsonSchema.of("API definition", reader.described()));
            case "policy-sets" -> Optional.of(JsonSchema.of("Policy set", reader.describedSet()));
            case "global" -> Optional.of(JsonSchema.of("Global policies", reader.describedGlobal()));
            case "plans" -> Optional.of(JsonSchema.of("Plan", PLANS));
            case "keys" -> Optional.of(JsonSchema.of("Key", KEYS));
            default -> Optional.empty();
        };
    }

    /// Adds all of them to those of an OpenAPI document.
    ///
    /// @throws IllegalStateException when two have one name
    void addTo(ObjectNode schemas) {
        var written = new JsonSchema("#/components/schemas/");
        add(reader.described(), API, schemas, written);
        add(reader.describedSet(), POLICY_SET, schemas, written);
        add(reader.describedGlobal(), GLOBAL, schemas, written);
        add(PLANS, "Plan", schemas, written);
        add(KEYS, KEY, schemas, written);
        ObjectNode issued = written.write(KEYS.root());
        issued.putArray("required").add("secret");
        issued.withObjectProperty("properties")
                .putObject("secret")
                .put("type", "string")
                .put("description", "answered this once");
        put("IssuedKey", issued, schemas);
    }

    private static void add(Description description, String name, ObjectNode schemas, JsonSchema written) {
        put(name, written.write(description.root()), schemas);
        for (Map.Entry<String, Shape> each : description.shapes().entrySet())
            put(each.getKey(), written.write(each.getValue()), schemas);
    }

    private static void put(String name, ObjectNode schema, ObjectNode schemas) {
        var before = schemas.get(name);
        if (before != null && !before.equals(schema)) throw new IllegalStateException("two schemas are called " + name);
        schemas.set(name, schema);
    }
}
