package gateway.policies.message.schema;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// `minLength`, `maxLength`, `format` and `pattern`.
final class TextKeywords {
    private TextKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        Bound.of(site, "maxLength", compiler)
                .ifPresent(most -> checks.add((node, _, run) -> !node.isString()
                        || node.stringValue().length() <= most
                        || JsonValues.characters(node.stringValue(), run) <= most
                        || run.fails("maxLength", "at most " + most + " characters")));
        Bound.of(site, "minLength", compiler)
                .ifPresent(least -> checks.add((node, _, run) -> !node.isString()
                        || JsonValues.characters(node.stringValue(), run) >= least
                        || run.fails("minLength", "at least " + least + " characters")));
        JsonNode tree = site.tree();
        if (compiler.assertsFormats() && tree.path("format").isString()) {
            String name = tree.get("format").stringValue();
            Optional<TextFormat> format = TextFormat.of(name);
            format.ifPresent(known -> checks.add((node, _, run) ->
                    !node.isString() || known.holds(node.stringValue(), run) || run.fails("format", name)));
        }
        if (!tree.has("pattern")) return;
        compiler.patterns()
                .compile(tree.get("pattern"), site.pointer() + "/pattern", compiler)
                .ifPresent(pattern -> checks.add((node, _, run) -> !node.isString()
                        || pattern.isWithin(node.stringValue(), run)
                        || run.fails("pattern", "text that the pattern of the schema matches")));
    }
}
