package gateway.policies.message.transform;

import gateway.json.ConfigNode;
import gateway.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A chain of JOLT as a definition writes it, without what could not be bounded: classes of Java, expressions that try
/// one match after another, and indexes that a value gives.
///
/// @param chain its steps, each with its `operation`
record JoltSpec(JsonNode chain) {
    private static final int MOST_STEPS = 50;
    private static final int LONGEST = 200;
    private static final int MOST_DIGITS = 4;
    private static final Set<String> OPERATIONS = Set.of("shift", "default", "remove", "sort", "cardinality");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern LARGE_INDEX = Pattern.compile("\\[[0-9]{5,}");

    static JoltSpec read(ConfigNode node) {
        JsonNode chain =
                node.form("JOLT chain").json().orElseGet(() -> Json.mapper().createArrayNode());
        node.obeys("{\"type\": \"array\", \"minItems\": 1, \"maxItems\": " + MOST_STEPS + "}");
        if (!chain.isArray() || chain.isEmpty() || chain.size() > MOST_STEPS) {
            node.problem("expected an array of 1 to " + MOST_STEPS + " steps of a JOLT chain");
            return new JoltSpec(Json.mapper().createArrayNode());
        }
        int steps = 0;
        for (JsonNode step : chain.values()) {
            ConfigNode at = node.field(Integer.toString(steps++));
            String operation = step.path("operation").stringValue("");
            boolean specified = operation.equals("sort") || step.path("spec").isObject();
            if (!OPERATIONS.contains(operation))
                at.problem("expected the operation to be one of shift, default, remove, sort, cardinality, got \""
                        + operation + "\"");
            else if (!specified) at.problem("expected \"spec\" beside \"operation\": \"" + operation + "\"");
            check(step.path("spec"), at.field("spec"));
            if (operation.equals("shift")) checkNames(step.path("spec"), at.field("spec"));
        }
        return new JoltSpec(chain);
    }

    /// A value that becomes a name may not stand where another name becomes an index: see [IndexNames].
    private static void checkNames(JsonNode spec, ConfigNode node) {
        if (IndexNames.in(Json.compact(spec)) != IndexNames.NONE && namesByValue(spec))
            node.problem("expected no path with \"@\" beside one with \"[&\" in one shift");
    }

    private static boolean namesByValue(JsonNode paths) {
        if (paths.isString()) return paths.stringValue().contains("@");
        for (JsonNode each : paths.values()) if (namesByValue(each)) return true;
        return false;
    }

    private static void check(JsonNode spec, ConfigNode node) {
        for (Map.Entry<String, JsonNode> each : spec.properties()) {
            ConfigNode at = node.field(each.getKey());
            if (NUMBER.matcher(each.getKey()).matches() && each.getKey().length() > MOST_DIGITS)
                at.problem("expected indexes of at most " + MOST_DIGITS + " digits, got \"" + each.getKey() + "\"");
            check(each.getKey(), at);
            check(each.getValue(), at);
        }
        if (spec.isArray()) for (int i = 0; i < spec.size(); i++) check(spec.get(i), node.field(Integer.toString(i)));
        if (spec.isString()) check(spec.stringValue(), node);
    }

    private static void check(String text, ConfigNode node) {
        if (text.length() > LONGEST)
            node.problem("expected keys and paths of at most " + LONGEST + " characters, got " + text.length());
        for (String key : text.split("[|.]", -1))
            if (key.chars().filter(c -> c == '*').count() > 2)
                node.problem("expected at most two `*` in a key, got \"" + text + "\"");
        if (text.contains("[@")) node.problem("expected no index that a value gives, got \"" + text + "\"");
        if (LARGE_INDEX.matcher(text).find())
            node.problem("expected indexes of at most " + MOST_DIGITS + " digits, got \"" + text + "\"");
    }
}
