package gateway.json;

import gateway.json.Shape.Rule;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes what holds of one place as a whole as JSON Schema.
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
                case Rule.Apart(String field, List<String> others) -> {
                    ObjectNode apart = all.addObject();
                    given(field, apart.putObject("if"));
                    addGiven(others, apart.putObject("then").putObject("not").putArray("anyOf"));
                }
                case Rule.Beside(String other, String field) -> {
                    ObjectNode beside = all.addObject();
                    given(field, beside.putObject("if"));
                    given(other, beside.putObject("then"));
                }
                case Rule.OnlyWhere(String field, String by, boolean usual, List<String> words) -> {
                    ObjectNode only = all.addObject();
                    given(field, only.putObject("if"));
                    where(by, usual, words, only.putObject("then"));
                }
                case Rule.Obeys(JsonNode own) -> all.add(own.deepCopy());
                case Rule.NeededWhere(String field, String by, boolean usual, List<String> words) -> {
                    ObjectNode needed = all.addObject();
                    where(by, usual, words, needed.putObject("if"));
                    given(field, needed.putObject("then"));
                }
            }
        }
    }

    private static void addGiven(List<String> fields, ArrayNode to) {
        for (String field : fields) given(field, to.addObject());
    }

    private static void where(String by, boolean usual, List<String> words, ObjectNode schema) {
        if (!usual) schema.putArray("required").add(by);
        ArrayNode all = schema.putObject("properties").putObject(by).putArray("enum");
        words.forEach(all::add);
        if (usual) all.addNull();
    }

    /// The field is there, and is not null.
    private static void given(String field, ObjectNode schema) {
        schema.putArray("required").add(field);
        schema.putObject("properties").putObject(field).putObject("not").put("type", "null");
    }
}
