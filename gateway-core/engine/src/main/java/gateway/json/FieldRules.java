package gateway.json;

import gateway.json.Shape.Rule;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes what holds of fields of one object together as JSON Schema.
final class FieldRules {
    private FieldRules() {}

    static void add(List<Rule> rules, ObjectNode schema) {
        if (rules.isEmpty()) return;
        ArrayNode all = schema.putArray("allOf");
        for (Rule each : rules) {
            switch (each) {
                case Rule.One(List<String> fields) ->
                    addGiven(fields, all.addObject().putArray("oneOf"));
                case Rule.Some(List<String> fields) ->
                    addGiven(fields, all.addObject().putArray("anyOf"));
                case Rule.OneAtMost(List<String> fields) -> {
                    ArrayNode one = all.addObject().putArray("oneOf");
                    addGiven(fields, one);
                    addGiven(fields, one.addObject().putObject("not").putArray("anyOf"));
                }
                case Rule.Beside(String other, String field) -> {
                    ObjectNode beside = all.addObject();
                    given(field, beside.putObject("if"));
                    given(other, beside.putObject("then"));
                }
            }
        }
    }

    private static void addGiven(List<String> fields, ArrayNode to) {
        for (String field : fields) given(field, to.addObject());
    }

    /// The field is there, and is not null.
    private static void given(String field, ObjectNode schema) {
        schema.putArray("required").add(field);
        schema.putObject("properties").putObject(field).putObject("not").put("type", "null");
    }
}
