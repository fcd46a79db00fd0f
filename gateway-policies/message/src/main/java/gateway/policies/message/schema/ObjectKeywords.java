package gateway.policies.message.schema;

import gateway.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Keywords of objects but `unevaluatedProperties`.
final class ObjectKeywords {
    /// Members whose names a pattern matches.
    private record PatternMembers(SchemaPatterns.Pattern pattern, Subschema schema) {}

    private ObjectKeywords() {}

    static void add(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        JsonNode tree = site.tree();
        Bound.of(site, "maxProperties", compiler)
                .ifPresent(most -> checks.add((node, _, run) -> !node.isObject()
                        || node.size() <= most
                        || run.fails("maxProperties", "at most " + most + " members")));
        Bound.of(site, "minProperties", compiler)
                .ifPresent(least -> checks.add((node, _, run) -> !node.isObject()
                        || node.size() >= least
                        || run.fails("minProperties", "at least " + least + " members")));
        if (tree.has("required")) checks.add(required(site, compiler));
        addDependent(site, compiler, checks);
        if (tree.has("properties") || tree.has("patternProperties") || tree.has("additionalProperties")) {
            checks.add(members(site, compiler));
        }
        if (tree.has("propertyNames") && !site.resource().draft.isOld()) {
            Subschema schema = compiler.below(site, tree.get("propertyNames"), "propertyNames");
            checks.add((node, _, run) -> names(node, schema, run));
        }
    }

    private static List<String> names(SchemaSite site, JsonNode list, String keyword, SchemaCompiler compiler) {
        var names = new ArrayList<String>();
        for (JsonNode each : list.values()) names.add(each.asString(""));
        boolean good = list.isArray() && list.values().stream().allMatch(JsonNode::isString);
        if (!good) compiler.problem(site.pointer() + '/' + keyword, "expected an array of names");
        return List.copyOf(names);
    }

    private static Check required(SchemaSite site, SchemaCompiler compiler) {
        List<String> names = names(site, site.tree().get("required"), "required", compiler);
        if (!compiler.openApi()) return required(names);
        Check all = required(names);
        Check ofRequests = required(without("readOnly", names, site, compiler));
        Check ofAnswers = required(without("writeOnly", names, site, compiler));
        return (node, marks, run) -> switch (run.use()) {
            case ANY -> all.holds(node, marks, run);
            case REQUEST -> ofRequests.holds(node, marks, run);
            case ANSWER -> ofAnswers.holds(node, marks, run);
        };
    }

    private static List<String> without(String keyword, List<String> names, SchemaSite site, SchemaCompiler compiler) {
        return names.stream()
                .filter(each -> !OpenApiKeywords.isFor(site, each, keyword, compiler))
                .toList();
    }

    private static Check required(List<String> names) {
        return (node, _, run) -> {
            if (!node.isObject()) return true;
            run.spend(names.size() / 8);
            boolean good = true;
            for (String each : names) {
                if (node.has(each)) continue;
                good = run.fails("required", "a member \"" + each + '"');
                if (run.settled()) return false;
            }
            return good;
        };
    }

    private static void addDependent(SchemaSite site, SchemaCompiler compiler, List<Check> checks) {
        boolean old = site.resource().draft.isBefore(SchemaDraft.DRAFT_2019_09);
        String keyword = old ? "dependencies" : "dependentRequired";
        site.tree().path(keyword).properties().forEach(each -> {
            if (!each.getValue().isArray() && old) return; // a schema, see LogicKeywords
            String name = each.getKey();
            Check needed = required(names(site, each.getValue(), keyword, compiler));
            checks.add((node, marks, run) -> !node.has(name) || needed.holds(node, marks, run));
        });
    }

    private static Check members(SchemaSite site, SchemaCompiler compiler) {
        JsonNode tree = site.tree();
        Map<String, Subschema> known =
                tree.has("properties") ? compiler.named(site, "properties") : new LinkedHashMap<>();
        var patterns = new ArrayList<PatternMembers>();
        if (tree.has("patternProperties")) {
            String pointer = site.pointer() + "/patternProperties/";
            compiler.named(site, "patternProperties")
                    .forEach((name, schema) -> compiler.patterns()
                            .compile(
                                    text(name),
                                    pointer + name.replace("~", "~0").replace("/", "~1"),
                                    compiler)
                            .ifPresent(pattern -> patterns.add(new PatternMembers(pattern, schema))));
        }
        Subschema others = tree.has("additionalProperties")
                ? compiler.below(site, tree.get("additionalProperties"), "additionalProperties")
                : null;
        return members(known, List.copyOf(patterns), others);
    }

    private static Check members(
            Map<String, Subschema> known, List<PatternMembers> patterns, @Nullable Subschema others) {
        return (node, marks, run) -> {
            if (!node.isObject()) return true;
            boolean good = true;
            for (Map.Entry<String, JsonNode> each : node.properties()) {
                if (member(each.getKey(), each.getValue(), known, patterns, others, marks, run)) continue;
                good = false;
                if (run.settled()) return false;
            }
            return good;
        };
    }

    private static boolean member(
            String name,
            JsonNode value,
            Map<String, Subschema> known,
            List<PatternMembers> patterns,
            @Nullable Subschema others,
            Marks marks,
            Evaluation run) {
        boolean good = true;
        Subschema own = known.get(name);
        boolean met = own != null;
        if (own != null) good = run.member(own, name, value);
        for (PatternMembers each : patterns) {
            if (!each.pattern.isWithin(name, run)) continue;
            met = true;
            good &= run.member(each.schema, name, value);
        }
        if (!met && others != null) {
            met = true;
            good = run.member(others, name, value);
        }
        if (met) marks.name(name);
        else run.spend(1);
        return good;
    }

    private static boolean names(JsonNode node, Subschema schema, Evaluation run) {
        if (!node.isObject()) return true;
        boolean good = true;
        for (String each : node.propertyNames()) {
            if (run.mayHold(schema, text(each), Marks.NONE)) continue;
            good = run.fails("propertyNames", "names as the schema has them");
            if (run.settled()) return false;
        }
        return good;
    }

    private static JsonNode text(String name) {
        return Json.mapper().getNodeFactory().stringNode(name);
    }
}
