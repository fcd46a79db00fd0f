package gateway.policies.message.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// `type`, `enum` and `const`.
final class ValueKeywords {
    private static final Set<String> TYPES =
            Set.of("array", "boolean", "integer", "null", "number", "object", "string");

    private ValueKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        if (tree.has("type")) checks.add(type(site, compiler));
        if (tree.has("enum")) {
            if (!tree.get("enum").isArray()) compiler.problem(site.pointer() + "/enum", "expected an array");
            var values = new ArrayList<JsonNode>();
            tree.get("enum").forEach(values::add);
            checks.add(oneOf("enum", "one of the values of the schema", values));
        }
        if (tree.has("const") && !site.resource().draft.isOld()) {
            checks.add(oneOf("const", "the value of the schema", List.of(tree.get("const"))));
        }
    }

    private static Check type(SchemaSite site, SchemaCompiler compiler) {
        var names = new ArrayList<String>();
        JsonNode written = site.tree().get("type");
        if (written.isString()) names.add(written.stringValue());
        else written.forEach(each -> names.add(each.isString() ? each.stringValue() : ""));
        if (names.isEmpty() || !TYPES.containsAll(names))
            compiler.problem(site.pointer() + "/type", "expected one or several of " + String.join(", ", TYPES));
        SchemaDraft draft = site.resource().draft;
        if (draft == SchemaDraft.OPENAPI_3_0 && site.tree().path("nullable").asBoolean(false)) names.add("null");
        String expected = String.join(" or ", names);
        String[] all = names.toArray(String[]::new);
        return (node, _, run) -> {
            for (String each : all) if (is(each, node, draft)) return true;
            return run.fails("type", expected);
        };
    }

    private static boolean is(String type, JsonNode node, SchemaDraft draft) {
        return switch (type) {
            case "object" -> node.isObject();
            case "array" -> node.isArray();
            case "string" -> node.isString();
            case "number" -> node.isNumber();
            case "integer" -> JsonValues.isWhole(node, draft);
            case "boolean" -> node.isBoolean();
            case "null" -> node.isNull();
            default -> false;
        };
    }

    /// Texts are looked up, since lists of words are long; the others are compared one by one.
    private static Check oneOf(String keyword, String expected, List<JsonNode> values) {
        var texts = new HashSet<String>();
        var others = new ArrayList<JsonNode>();
        for (JsonNode each : values) {
            if (each.isString()) texts.add(each.stringValue());
            else others.add(each);
        }
        return (node, _, run) -> {
            if (node.isString()) {
                return texts.contains(node.stringValue()) || run.fails(keyword, expected);
            }
            for (JsonNode each : others) if (JsonValues.same(each, node, run)) return true;
            return run.fails(keyword, expected);
        };
    }
}
