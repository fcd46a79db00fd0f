package gateway.policies.script.groovy;

import gateway.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Maps, lists, texts and numbers that JSON is, and back.
final class GroovyValues {
    private static final int DEEPEST = 200;
    private static final int LARGEST_SCALE = 400; // digits after the point, or zeros before it
    private static final JsonNodeFactory JSON = Json.mapper().getNodeFactory();

    private GroovyValues() {}

    static @Nullable Object of(JsonNode json) {
        return switch (json.getNodeType()) {
            case OBJECT -> {
                var map = new LinkedHashMap<String, @Nullable Object>();
                json.forEachEntry((name, value) -> map.put(name, of(value)));
                yield map;
            }
            case ARRAY -> {
                var list = new ArrayList<@Nullable Object>(json.size());
                for (JsonNode each : json) list.add(of(each));
                yield list;
            }
            case NUMBER -> number(json.numberValue());
            case BOOLEAN -> json.booleanValue();
            case STRING -> json.stringValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }

    /// Beyond what a `double` holds it becomes one, infinite or zero: a sum of `1e1000000000` and 1 would take all
    /// memory.
    private static Number number(Number read) {
        boolean isFar = read instanceof BigDecimal exact && Math.abs((long) exact.scale()) > LARGEST_SCALE;
        return isFar ? (Number) read.doubleValue() : read;
    }

    /// @throws IllegalArgumentException when it is no JSON
    static String json(Object value) {
        return Json.compact(tree(value, 0));
    }

    private static JsonNode tree(@Nullable Object value, int depth) {
        if (depth > DEEPEST) throw new IllegalArgumentException("expected JSON of at most " + DEEPEST + " levels");
        return switch (value) {
            case null -> JSON.nullNode();
            case Map<?, ?> map -> object(map, depth);
            case Collection<?> list -> array(list, depth);
            case CharSequence text -> JSON.stringNode(text.toString());
            case Boolean truth -> JSON.booleanNode(truth);
            case Integer number -> JSON.numberNode(number);
            case Long number -> JSON.numberNode(number);
            case BigInteger number -> JSON.numberNode(number);
            case BigDecimal number -> JSON.numberNode(number);
            case Number number when Double.isFinite(number.doubleValue()) -> JSON.numberNode(number.doubleValue());
            default -> throw new IllegalArgumentException("expected maps, lists, texts, numbers and truths for JSON");
        };
    }

    private static ObjectNode object(Map<?, ?> map, int depth) {
        ObjectNode object = JSON.objectNode();
        map.forEach((name, member) -> object.set(String.valueOf(name), tree(member, depth + 1)));
        return object;
    }

    private static ArrayNode array(Collection<?> list, int depth) {
        ArrayNode array = JSON.arrayNode();
        for (Object each : list) array.add(tree(each, depth + 1));
        return array;
    }
}
