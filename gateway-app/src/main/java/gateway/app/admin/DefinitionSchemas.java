package gateway.app.admin;

import gateway.config.DefinitionReader;
import gateway.json.Description;
import gateway.json.JsonSchema;
import gateway.json.Shape;
import gateway.key.ApiKeyJson;
import gateway.key.PlanJson;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of what is stored, as it is read here: policies that a gateway brings itself are among them.
public final class DefinitionSchemas {
    private static final Description PLANS = Description.of(PlanJson::read);
    private static final Description KEYS = Description.of(ApiKeyJson::read);
    private static final String API = "Api";
    private static final String KEY = "Key";
    private static final String POLICY_SET = "PolicySet";

    private final DefinitionReader reader;
    private volatile @Nullable Description api; // made by thousands of passes, and the same as long as the process
    private volatile @Nullable Description policySet;

    public DefinitionSchemas(DefinitionReader reader) {
        this.reader = reader;
    }

    /// The schema of a kind of documents by itself.
    ///
    /// @param kind such as `apis`
    public Optional<ObjectNode> document(String kind) {
        return switch (kind) {
            case "apis" -> Optional.of(JsonSchema.of("API definition", api()));
            case "policy-sets" -> Optional.of(JsonSchema.of("Policy set", policySet()));
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
        add(api(), API, schemas, written);
        add(policySet(), POLICY_SET, schemas, written);
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

    private Description api() {
        Description known = api;
        if (known == null) api = known = reader.described();
        return known;
    }

    private Description policySet() {
        Description known = policySet;
        if (known == null) policySet = known = reader.describedSet();
        return known;
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
