package gateway.policies.message.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Keywords of arrays but `unevaluatedItems`.
final class ArrayKeywords {
    private ArrayKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        Bound.of(site, "maxItems", compiler)
                .ifPresent(most -> checks.add((node, _, run) -> !node.isArray()
                        || node.size() <= most
                        || run.fails("maxItems", "at most " + most + " elements")));
        Bound.of(site, "minItems", compiler)
                .ifPresent(least -> checks.add((node, _, run) -> !node.isArray()
                        || node.size() >= least
                        || run.fails("minItems", "at least " + least + " elements")));
        addItems(site, compiler, checks);
        if (tree.has("contains") && !site.resource().draft.isOld()) checks.add(contains(site, compiler));
        if (tree.path("uniqueItems").asBoolean(false)) checks.add(ArrayKeywords::unique);
    }

    private static void addItems(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        boolean tuples = site.resource().draft.isBefore(SchemaDraft.DRAFT_2020_12);
        String first = tuples ? "items" : "prefixItems";
        String rest = tuples ? "additionalItems" : "items";
        List<Subschema> prefix = List.of();
        if (tree.path(first).isArray()) prefix = compiler.listed(site, first);
        else if (tuples) rest = "items";
        else if (tree.has(first)) compiler.listed(site, first); // which says what is wrong with it
        Subschema others = tree.has(rest) ? compiler.below(site, tree.get(rest), rest) : null;
        if (!prefix.isEmpty() || others != null) checks.add(items(prefix, others));
    }

    private static Check items(List<Subschema> prefix, @Nullable Subschema others) {
        return (node, marks, run) -> {
            if (!node.isArray()) return true;
            boolean good = true;
            int end = others == null ? Math.min(prefix.size(), node.size()) : node.size();
            for (int i = 0; i < end; i++) {
                Subschema schema = i < prefix.size() || others == null ? prefix.get(i) : others;
                if (run.element(schema, i, node.get(i))) continue;
                good = false;
                if (run.settled()) return false;
            }
            if (others == null) marks.itemsBefore(end);
            else marks.allItems();
            return good;
        };
    }

    private static Check contains(SchemaSite site, SchemaCompiler compiler) {
        SchemaDraft draft = site.resource().draft;
        Subschema schema = compiler.below(site, site.tree().get("contains"), "contains");
        boolean counted = !draft.isBefore(SchemaDraft.DRAFT_2019_09);
        OptionalInt least = counted ? Bound.of(site, "minContains", compiler) : OptionalInt.empty();
        OptionalInt most = counted ? Bound.of(site, "maxContains", compiler) : OptionalInt.empty();
        boolean marking = draft == SchemaDraft.DRAFT_2020_12;
        int from = least.orElse(1);
        int to = most.orElse(Integer.MAX_VALUE);
        return (node, marks, run) -> {
            if (!node.isArray()) return true;
            int found = 0;
            for (int i = 0; i < node.size(); i++) {
                if (!run.mayElement(schema, i, node.get(i))) continue;
                found++;
                if (marking) marks.item(i);
                if (found >= from && to == Integer.MAX_VALUE && !marks.kept()) return true;
            }
            if (found < from) return run.fails("contains", "at least " + from + " such elements");
            return found <= to || run.fails("maxContains", "at most " + to + " such elements");
        };
    }

    private static boolean unique(JsonNode node, Marks marks, Evaluation run) {
        if (!node.isArray()) return true;
        var seen = new HashMap<Integer, List<JsonNode>>();
        for (JsonNode each : node.values()) {
            List<JsonNode> alike = seen.computeIfAbsent(JsonValues.hash(each, run), _ -> new ArrayList<>(1));
            for (JsonNode other : alike) {
                if (JsonValues.same(each, other, run)) return run.fails("uniqueItems", "no two elements alike");
            }
            alike.add(each);
        }
        return true;
    }
}
