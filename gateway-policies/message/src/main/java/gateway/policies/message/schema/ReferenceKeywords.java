package gateway.policies.message.schema;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// `$ref`, `$dynamicRef` and `$recursiveRef`.
final class ReferenceKeywords {
    private ReferenceKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        SchemaDraft draft = site.resource().draft;
        if (tree.has("$ref")) checks.add(to(compiler.referred(site, "$ref")));
        if (tree.has("$recursiveRef") && draft == SchemaDraft.DRAFT_2019_09) {
            Subschema own = compiler.referred(site, "$recursiveRef");
            checks.add(own.resource.recursive ? dynamic("", own) : to(own));
        }
        if (tree.has("$dynamicRef") && draft == SchemaDraft.DRAFT_2020_12) {
            Subschema first = compiler.referred(site, "$dynamicRef");
            String text = tree.get("$dynamicRef").asString("");
            String anchor = text.substring(text.indexOf('#') + 1);
            boolean moves = text.contains("#") && compiler.isDynamic(site, anchor);
            checks.add(moves ? dynamic(anchor, first) : to(first));
        }
    }

    private static Check to(Subschema schema) {
        return (node, marks, run) -> run.alsoHolds(schema, node, marks);
    }

    private static Check dynamic(String anchor, Subschema first) {
        return (node, marks, run) -> run.alsoHolds(run.dynamic(anchor, first), node, marks);
    }
}
