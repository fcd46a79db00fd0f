package gateway.policies.message.schema;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// `unevaluatedProperties` and `unevaluatedItems`, which look at what every other keyword has left.
final class UnevaluatedKeywords {
    private UnevaluatedKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        if (site.resource().draft.isBefore(SchemaDraft.DRAFT_2019_09)) return;
        JsonNode tree = site.tree();
        if (tree.has("unevaluatedProperties")) {
            Subschema schema = compiler.below(site, tree.get("unevaluatedProperties"), "unevaluatedProperties");
            checks.add((node, marks, run) -> members(schema, node, marks, run));
        }
        if (tree.has("unevaluatedItems")) {
            Subschema schema = compiler.below(site, tree.get("unevaluatedItems"), "unevaluatedItems");
            checks.add((node, marks, run) -> elements(schema, node, marks, run));
        }
    }

    private static boolean members(Subschema schema, JsonNode node, Marks marks, Evaluation run) {
        if (!node.isObject()) return true;
        boolean good = true;
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            if (marks.hasName(each.getKey())) continue;
            good &= run.member(schema, each.getKey(), each.getValue());
            if (!good && run.settled()) return false;
        }
        marks.allNames();
        return good;
    }

    private static boolean elements(Subschema schema, JsonNode node, Marks marks, Evaluation run) {
        if (!node.isArray()) return true;
        boolean good = true;
        for (int i = 0; i < node.size(); i++) {
            if (marks.hasItem(i)) continue;
            good &= run.element(schema, i, node.get(i));
            if (!good && run.settled()) return false;
        }
        marks.allItems();
        return good;
    }
}
