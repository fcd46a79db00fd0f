package gateway.policies.message.openapi;

import gateway.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes a value of a schema: of the examples, defaults and choices that stand in it, and of its types where none do.
/// It need not hold by the schema in all that patterns and bounds ask for. Missing where it would get too large.
final class SchemaSample {
    private static final int DEEPEST = 8;
    private static final int MOST_NODES = 1_000;
    private static final Map<String, String> TEXTS = Map.of(
            "date", "2026-01-01",
            "date-time", "2026-01-01T00:00:00Z",
            "email", "user@example.com",
            "hostname", "example.com",
            "ipv4", "192.0.2.1",
            "ipv6", "2001:db8::1",
            "uri", "https://example.com/",
            "uuid", "00000000-0000-4000-8000-000000000000");
    private static final JsonNode NOTHING = MissingNode.getInstance();
    private static final JsonNodeFactory NODES = Json.mapper().getNodeFactory();

    private final OpenApiDocument document;
    private int nodes;

    SchemaSample(OpenApiDocument document) {
        this.document = document;
    }

    JsonNode of(JsonNode schema) {
        JsonNode sample = of(schema, 0);
        return nodes > MOST_NODES ? NOTHING : sample;
    }

    private JsonNode of(JsonNode reference, int depth) {
        JsonNode schema = document.target(reference);
        if (++nodes > MOST_NODES || depth > DEEPEST || !schema.isObject()) return NOTHING;
        JsonNode said = said(schema);
        if (!said.isMissingNode()) return said;
        for (String choice : new String[] {"oneOf", "anyOf"})
            if (!schema.path(choice).isEmpty()) return of(schema.get(choice).get(0), depth + 1);
        return switch (type(schema)) {
            case "object" -> object(schema, depth);
            case "array" -> {
                JsonNode element = of(schema.path("items"), depth + 1);
                yield element.isMissingNode()
                        ? NODES.arrayNode()
                        : NODES.arrayNode().add(element);
            }
            case "string" ->
                NODES.stringNode(TEXTS.getOrDefault(schema.path("format").asString(""), "string"));
            case "integer", "number" -> schema.path("minimum").isNumber() ? schema.get("minimum") : NODES.numberNode(0);
            case "boolean" -> NODES.booleanNode(true);
            case "null" -> NODES.nullNode();
            default -> NOTHING;
        };
    }

    /// What stands in the schema itself.
    private static JsonNode said(JsonNode schema) {
        if (schema.has("example")) return schema.get("example");
        if (!schema.path("examples").isEmpty() && schema.get("examples").isArray())
            return schema.get("examples").get(0);
        if (schema.has("const")) return schema.get("const");
        if (schema.has("default")) return schema.get("default");
        return schema.path("enum").isEmpty() ? NOTHING : schema.get("enum").get(0);
    }

    private static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isString()) return type.stringValue();
        for (JsonNode each : type.values())
            if (each.isString() && !each.stringValue().equals("null")) return each.stringValue();
        return schema.has("properties") || schema.has("allOf") ? "object" : "";
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = NODES.objectNode();
        for (JsonNode each : schema.path("allOf").values())
            if (of(each, depth + 1) instanceof ObjectNode part) object.setAll(part);
        JsonNode members = schema.path("properties");
        for (String name : members.propertyNames()) {
            if (document.target(members.get(name)).path("writeOnly").asBoolean(false)) continue;
            JsonNode value = of(members.get(name), depth + 1);
            if (!value.isMissingNode()) object.set(name, value);
        }
        return object;
    }
}
