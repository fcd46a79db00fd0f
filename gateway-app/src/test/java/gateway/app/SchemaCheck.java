package gateway.app;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Checks JSON against a JSON Schema, as far as the schemas of definitions go.
record SchemaCheck(JsonNode document) {
    /// What is wrong, each under its pointer; empty when nothing is.
    List<String> flaws(JsonNode json) {
        var flaws = new ArrayList<String>();
        check(document, json, "", flaws);
        return flaws;
    }

    private void check(JsonNode schema, JsonNode json, String at, List<String> flaws) {
        if (schema.has("$ref"))
            check(document.at(schema.get("$ref").stringValue().substring(1)), json, at, flaws);
        if (schema.has("anyOf")) checkAny(schema.get("anyOf"), json, at, flaws);
        if (schema.has("oneOf") && count(schema.get("oneOf"), json) != 1) flaws.add(at + ": not one of oneOf");
        for (JsonNode each : schema.path("allOf")) check(each, json, at, flaws);
        if (schema.has("not") && fits(schema.get("not"), json)) flaws.add(at + ": not");
        if (schema.has("if")) check(schema.path(fits(schema.get("if"), json) ? "then" : "else"), json, at, flaws);
        if (schema.has("const") && !schema.get("const").equals(json)) flaws.add(at + ": const");
        if (schema.has("enum") && schema.get("enum").valueStream().noneMatch(json::equals)) flaws.add(at + ": enum");
        if (schema.has("type") && !isOf(schema.get("type"), json)) flaws.add(at + ": type");
        checkScalar(schema, json, at, flaws);
        if (json.isArray() && schema.has("items"))
            for (int i = 0; i < json.size(); i++) check(schema.get("items"), json.get(i), at + '/' + i, flaws);
        if (json.isArray()) checkCount("Items", schema, json, at, flaws);
        if (json.isArray()) checkElements(schema, json, at, flaws);
        if (json.isObject()) checkCount("Properties", schema, json, at, flaws);
        if (json.isObject()) checkObject(schema, json, at, flaws);
    }

    /// Of one thing or null, tells what is wrong with the thing.
    private void checkAny(JsonNode schemas, JsonNode json, String at, List<String> flaws) {
        boolean orNull =
                schemas.size() == 2 && schemas.get(1).path("type").asString("").equals("null");
        if (orNull && !json.isNull()) check(schemas.get(0), json, at, flaws);
        else if (count(schemas, json) == 0) flaws.add(at + ": none of anyOf");
    }

    private void checkElements(JsonNode schema, JsonNode json, String at, List<String> flaws) {
        boolean isUnique = json.valueStream().distinct().count() == json.size();
        if (schema.path("uniqueItems").asBoolean(false) && !isUnique) flaws.add(at + ": uniqueItems");
        JsonNode wanted = schema.path("contains");
        if (wanted.isObject() && json.valueStream().noneMatch(each -> fits(wanted, each))) flaws.add(at + ": contains");
    }

    private static void checkCount(String what, JsonNode schema, JsonNode json, String at, List<String> flaws) {
        if (json.size() < schema.path("min" + what).asInt(0)) flaws.add(at + ": min" + what);
        if (json.size() > schema.path("max" + what).asInt(Integer.MAX_VALUE)) flaws.add(at + ": max" + what);
    }

    private static void checkScalar(JsonNode schema, JsonNode json, String at, List<String> flaws) {
        if (json.isString()) {
            String text = json.stringValue();
            if (text.length() < schema.path("minLength").asInt(0)) flaws.add(at + ": minLength");
            if (text.length() > schema.path("maxLength").asInt(Integer.MAX_VALUE)) flaws.add(at + ": maxLength");
            boolean fits = !schema.has("pattern")
                    || Pattern.compile(schema.get("pattern").stringValue())
                            .matcher(text)
                            .find();
            if (!fits) flaws.add(at + ": pattern");
        }
        if (json.isNumber()) {
            if (schema.has("minimum")
                    && json.doubleValue() < schema.get("minimum").doubleValue()) flaws.add(at + ": minimum");
            if (schema.has("maximum")
                    && json.doubleValue() > schema.get("maximum").doubleValue()) flaws.add(at + ": maximum");
        }
    }

    private void checkObject(JsonNode schema, JsonNode json, String at, List<String> flaws) {
        for (JsonNode name : schema.path("required")) {
            if (!json.has(name.stringValue())) flaws.add(at + '/' + name.stringValue() + ": required");
        }
        for (String name : json.propertyNames()) {
            if (!fits(schema.path("propertyNames"), StringNode.valueOf(name)))
                flaws.add(at + '/' + name + ": propertyNames");
        }
        JsonNode others = schema.path("additionalProperties");
        for (String name : json.propertyNames()) {
            JsonNode field = schema.path("properties").path(name);
            if (!field.isMissingNode()) check(field, json.get(name), at + '/' + name, flaws);
            else if (others.isObject()) check(others, json.get(name), at + '/' + name, flaws);
            else if (others.isBoolean() && !others.booleanValue()) flaws.add(at + '/' + name + ": unknown");
        }
    }

    private int count(JsonNode schemas, JsonNode json) {
        int fitting = 0;
        for (JsonNode each : schemas) if (fits(each, json)) fitting++;
        return fitting;
    }

    private boolean fits(JsonNode schema, JsonNode json) {
        var flaws = new ArrayList<String>();
        check(schema, json, "", flaws);
        return flaws.isEmpty();
    }

    private static boolean isOf(JsonNode type, JsonNode json) {
        if (type.isArray()) return type.valueStream().anyMatch(each -> isOf(each, json));
        return switch (type.stringValue()) {
            case "object" -> json.isObject();
            case "array" -> json.isArray();
            case "string" -> json.isString();
            case "boolean" -> json.isBoolean();
            case "integer" -> json.isIntegralNumber();
            case "number" -> json.isNumber();
            case "null" -> json.isNull();
            default -> throw new IllegalArgumentException("unknown type " + type);
        };
    }
}
