package gateway.policies.message.openapi;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Reads off a schema what texts may stand for. It looks through references and alternatives, and down as far as texts
/// go: an array or an object, and what lies in it.
final class ShapeReader {
    private static final int DEEPEST = 2; // arrays and objects within each other
    private static final int MOST = 200; // schemas that are looked at for one value

    private final OpenApiDocument document;
    private final Set<ValueKind> kinds = EnumSet.noneOf(ValueKind.class);
    private final Map<String, ValueShape> members = new HashMap<>();
    private List<ValueShape> elements = List.of();
    private int left = MOST;

    private ShapeReader(OpenApiDocument document) {
        this.document = document;
    }

    static ValueShape of(JsonNode schema, OpenApiDocument document) {
        return of(schema, document, DEEPEST);
    }

    private static ValueShape of(JsonNode schema, OpenApiDocument document, int depth) {
        var reader = new ShapeReader(document);
        reader.look(schema, depth);
        if (reader.kinds.isEmpty()) return ValueShape.TEXT;
        return new ValueShape(reader.kinds, reader.members, reader.elements);
    }

    private void look(JsonNode written, int depth) {
        JsonNode schema = document.target(written);
        if (!schema.isObject() || left-- <= 0) return;
        JsonNode type = schema.path("type");
        if (type.isString()) add(type.stringValue());
        type.forEach(each -> add(each.asString("")));
        schema.path("enum").forEach(this::addOf);
        if (schema.has("const")) addOf(schema.get("const"));
        if (schema.has("properties")) kinds.add(ValueKind.OBJECT);
        if (schema.has("items")) kinds.add(ValueKind.ARRAY);
        if (depth > 0) {
            schema.path("properties")
                    .properties()
                    .forEach(each -> members.putIfAbsent(each.getKey(), of(each.getValue(), document, depth - 1)));
            for (String keyword : List.of("items", "additionalProperties")) {
                if (schema.path(keyword).isObject()) elements = List.of(of(schema.get(keyword), document, depth - 1));
            }
        }
        for (String keyword : List.of("allOf", "anyOf", "oneOf")) {
            schema.path(keyword).forEach(each -> look(each, depth));
        }
    }

    private void add(String type) {
        switch (type) {
            case "integer", "number" -> kinds.add(ValueKind.NUMBER);
            case "boolean" -> kinds.add(ValueKind.BOOLEAN);
            case "string" -> kinds.add(ValueKind.TEXT);
            case "array" -> kinds.add(ValueKind.ARRAY);
            case "object" -> kinds.add(ValueKind.OBJECT);
            default -> {} // no text stands for null, and the compiler of schemas tells of others
        }
    }

    private void addOf(JsonNode value) {
        if (value.isNumber()) kinds.add(ValueKind.NUMBER);
        if (value.isBoolean()) kinds.add(ValueKind.BOOLEAN);
        if (value.isString()) kinds.add(ValueKind.TEXT);
    }
}
