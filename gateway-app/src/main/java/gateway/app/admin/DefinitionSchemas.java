package gateway.app.admin;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.json.Description;
import gateway.json.JsonSchema;
import gateway.key.ApiKeyJson;
import gateway.key.PlanJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of what is stored, as it is read here: policies that a gateway brings itself are among them.
public final class DefinitionSchemas {
    /// @param name of the kind, such as `apis`
    /// @param title of its schema
    /// @param component what the OpenAPI document calls it
    private record Documents(String name, String title, String component, Supplier<Description> described) {}

    private final List<Documents> kinds;
    private final Map<String, Description> made = new ConcurrentHashMap<>(); // by thousands of passes, so once

    public DefinitionSchemas(DefinitionReader reader) {
        kinds = List.of(
                new Documents("apis", "API definition", "Api", reader::described),
                new Documents("policy-sets", "Policy set", "PolicySet", reader::describedSet),
                new Documents("global", "Global policies", "Global", reader::describedGlobal),
                new Documents("plans", "Plan", "Plan", () -> Description.of(PlanJson::read)),
                new Documents("keys", "Key", "Key", () -> Description.of(ApiKeyJson::read)));
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
        return kinds.stream()
                .filter(each -> each.name().equals(kind))
                .findFirst()
                .map(each -> JsonSchema.of(each.title(), described(each)));
    }

    /// Adds all of them to those of an OpenAPI document.
    ///
    /// @throws IllegalStateException when two have one name
    void addTo(ObjectNode schemas) {
        var written = new JsonSchema("#/components/schemas/");
        for (Documents each : kinds) {
            Description description = described(each);
            put(each.component(), written.write(description.root()), schemas);
            description.shapes().forEach((name, shape) -> put(name, written.write(shape), schemas));
        }
        put("IssuedKey", issued((ObjectNode) schemas.get("Key").deepCopy()), schemas);
    }

    private Description described(Documents kind) {
        return made.computeIfAbsent(kind.name(), _ -> kind.described().get());
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
