package gateway.policies.message.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The member of an object that says by which one of several schemas it is to be looked at (OpenAPI): that one alone
/// then decides, and what is wrong by it is told.
///
/// @param member its name
/// @param schemas by its values
record Discriminator(String member, Map<String, Subschema> schemas) implements Check {
    /// The one of a schema with `anyOf` or `oneOf`; empty where it decides nothing, as beside schemas without a name.
    static Optional<Discriminator> of(SchemaSite site, String keyword, SchemaCompiler compiler) {
        JsonNode written = site.tree().path("discriminator");
        JsonNode branches = site.tree().path(keyword);
        if (!compiler.openApi() || !written.path("propertyName").isString() || !branches.isArray())
            return Optional.empty();
        List<Subschema> listed = compiler.listed(site, keyword);
        var schemas = new HashMap<String, Subschema>();
        for (int i = 0; i < branches.size(); i++) {
            String reference = branches.get(i).path("$ref").asString("");
            if (reference.isEmpty()) return Optional.empty();
            schemas.put(reference.substring(reference.lastIndexOf('/') + 1), listed.get(i));
        }
        for (Map.Entry<String, JsonNode> each : written.path("mapping").properties()) {
            String target = each.getValue().asString("");
            String reference = target.contains("/") || target.contains("#") ? target : "#/components/schemas/" + target;
            compiler.lookedUp(site, reference)
                    .ifPresentOrElse(
                            found -> schemas.put(each.getKey(), compiler.subschema(found)),
                            () -> compiler.problem(
                                    site.pointer() + "/discriminator/mapping",
                                    "expected schemas of this document, got \"" + target + '"'));
        }
        return Optional.of(new Discriminator(written.get("propertyName").stringValue(), Map.copyOf(schemas)));
    }

    @Override
    public boolean holds(JsonNode node, Marks marks, Evaluation run) {
        Subschema chosen = schemas.get(node.path(member).asString(""));
        return chosen == null
                ? run.fails("discriminator", "a member \"" + member + "\" that says which of the schemas it is")
                : run.alsoHolds(chosen, node, marks);
    }

    /// The same for objects; other values are looked at as if it were not there.
    Check or(Check others) {
        return (node, marks, run) -> node.isObject() ? holds(node, marks, run) : others.holds(node, marks, run);
    }
}
