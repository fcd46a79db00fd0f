package gateway.policies.message.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What OpenAPI has added to JSON Schema: `readOnly` and `writeOnly` decide, and there are formats of its own. For
/// `discriminator` see [Discriminator], for `nullable` [ValueKeywords].
final class OpenApiKeywords {
    private static final int FURTHEST = 10; // references after each other

    private OpenApiKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        if (isSet(tree, "readOnly"))
            checks.add((_, _, run) -> run.use() != SchemaUse.REQUEST || run.fails("readOnly", "nothing in a request"));
        if (isSet(tree, "writeOnly"))
            checks.add((_, _, run) -> run.use() != SchemaUse.ANSWER || run.fails("writeOnly", "nothing in an answer"));
        if (!compiler.assertsFormats()) return;
        switch (tree.path("format").asString("")) {
            case "int32" -> checks.add(whole("int32", 31));
            case "int64" -> checks.add(whole("int64", 63));
            case "byte" -> checks.add(OpenApiKeywords::isBase64);
            default -> {} // the others are those of JSON Schema, or hold of all
        }
    }

    private static Check whole(String name, int bits) {
        BigDecimal bound = new BigDecimal(BigInteger.TWO.pow(bits));
        BigDecimal least = bound.negate();
        return (node, _, run) -> !node.isNumber()
                || (node.decimalValue().compareTo(bound) < 0
                        && node.decimalValue().compareTo(least) >= 0)
                || run.fails("format", name);
    }

    private static boolean isBase64(JsonNode node, Marks marks, Evaluation run) {
        if (!node.isString()) return true;
        run.spend(node.stringValue().length() / 16);
        try {
            Base64.getDecoder().decode(node.stringValue());
            return true;
        } catch (IllegalArgumentException _) {
            return run.fails("format", "byte");
        }
    }

    /// Whether the member `name` of a schema is for answers (`readOnly`), or for requests alone (`writeOnly`): the
    /// other kind of message need not have it, though it be required.
    static boolean isFor(SchemaSite site, String name, String keyword, SchemaCompiler compiler) {
        JsonNode tree = site.tree().path("properties").path(name);
        SchemaSite at = site;
        for (int i = 0; i < FURTHEST; i++) {
            if (isSet(tree, keyword)) return true;
            if (!tree.path("$ref").isString()) return false;
            var found = compiler.lookedUp(at, tree.get("$ref").stringValue());
            if (found.isEmpty()) return false;
            at = found.get();
            tree = at.tree();
        }
        return false;
    }

    private static boolean isSet(JsonNode tree, String keyword) {
        return tree.path(keyword).asBoolean(false);
    }
}
