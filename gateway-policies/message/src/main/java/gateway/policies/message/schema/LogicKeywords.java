package gateway.policies.message.schema;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// `allOf`, `anyOf`, `oneOf`, `not`, `if`, `dependentSchemas` and the schemas of `dependencies`.
final class LogicKeywords {
    private LogicKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        if (tree.has("allOf")) {
            for (Subschema each : compiler.listed(site, "allOf"))
                checks.add((node, marks, run) -> run.alsoHolds(each, node, marks));
        }
        if (tree.has("anyOf")) checks.add(chosen(site, "anyOf", compiler, anyOf(compiler.listed(site, "anyOf"))));
        if (tree.has("oneOf")) checks.add(chosen(site, "oneOf", compiler, oneOf(compiler.listed(site, "oneOf"))));
        if (tree.has("not")) {
            Subschema schema = compiler.below(site, tree.get("not"), "not");
            checks.add((node, _, run) ->
                    !run.mayHold(schema, node, Marks.NONE) || run.fails("not", "what the schema under not excludes"));
        }
        if (tree.has("if") && !site.resource().draft.isBefore(SchemaDraft.DRAFT_7)) checks.add(choice(site, compiler));
        for (String keyword : List.of("dependentSchemas", "dependencies"))
            addDependent(site, keyword, compiler, checks);
    }

    private static Check chosen(SchemaSite site, String keyword, SchemaCompiler compiler, Check plain) {
        return Discriminator.of(site, keyword, compiler)
                .map(found -> found.or(plain))
                .orElse(plain);
    }

    private static Check anyOf(List<Subschema> schemas) {
        return (node, marks, run) -> {
            boolean good = false;
            for (Subschema each : schemas) {
                if (run.mayHold(each, node, marks)) good = true;
                if (good && !marks.kept()) return true;
            }
            return good || run.fails("anyOf", "one of " + schemas.size() + " schemas to hold");
        };
    }

    private static Check oneOf(List<Subschema> schemas) {
        return (node, marks, run) -> {
            int good = 0;
            for (Subschema each : schemas) {
                if (run.mayHold(each, node, marks)) good++;
                if (good > 1) break;
            }
            return good == 1 || run.fails("oneOf", "exactly one of " + schemas.size() + " schemas to hold");
        };
    }

    private static Check choice(SchemaSite site, SchemaCompiler compiler) {
        JsonNode tree = site.tree();
        Check whether = to(site, "if", compiler, true);
        Check then = tree.has("then") ? to(site, "then", compiler, false) : (_, _, _) -> true;
        Check otherwise = tree.has("else") ? to(site, "else", compiler, false) : (_, _, _) -> true;
        return (node, marks, run) ->
                whether.holds(node, marks, run) ? then.holds(node, marks, run) : otherwise.holds(node, marks, run);
    }

    private static Check to(SchemaSite site, String keyword, SchemaCompiler compiler, boolean asks) {
        Subschema schema = compiler.below(site, site.tree().get(keyword), keyword);
        return asks
                ? (node, marks, run) -> run.mayHold(schema, node, marks)
                : (node, marks, run) -> run.alsoHolds(schema, node, marks);
    }

    private static void addDependent(SchemaSite site, String keyword, SchemaCompiler compiler, List<Check> checks) {
        boolean old = site.resource().draft.isBefore(SchemaDraft.DRAFT_2019_09);
        if (old != keyword.equals("dependencies")) return;
        site.tree().path(keyword).properties().forEach(each -> {
            if (each.getValue().isArray()) return; // names, see ObjectKeywords
            String name = each.getKey();
            Subschema schema = compiler.below(site, each.getValue(), keyword, name);
            checks.add((node, marks, run) -> !node.isObject() || !node.has(name) || run.alsoHolds(schema, node, marks));
        });
    }
}
