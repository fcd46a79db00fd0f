package gateway.json;

import gateway.json.Shape.Extent;
import gateway.json.Shape.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes descriptions as JSON Schema (draft 2020-12, which OpenAPI 3.1 speaks too). What it refuses is refused by the
/// reader; the reader refuses more, such as texts in a language of their own. Null stands for nothing, so it may stand
/// wherever something may be left out.
///
/// @param references what comes before the name of a shape, such as `#/$defs/`
public record JsonSchema(String references) {
    /// What of RFC 3339 can be read: fractions to the nanosecond, offsets to 18 hours.
    private static final String TIME = "^[^.Zz]{19}(\\.[0-9]{1,9})?([Zz]|[+-](0[0-9]|1[0-7]):[0-5][0-9]|[+-]18:00)$";

    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    /// A document by itself.
    public static ObjectNode of(String title, Description description) {
        var schema = new JsonSchema("#/$defs/");
        ObjectNode json = Json.mapper().createObjectNode().put("$schema", DRAFT).put("title", title);
        json.setAll(schema.write(description.root()));
        ObjectNode shapes = json.putObject("$defs");
        description.shapes().forEach((name, shape) -> shapes.set(name, schema.write(shape)));
        return json;
    }

    /// The keyword that a text matches `form` from begin to end, for [ConfigNode#obeys].
    public static String pattern(Pattern form) {
        return "\"pattern\": " + Json.mapper().valueToTree(whole(form.pattern()));
    }

    /// A regular expression of a text in upper and lower case: JSON Schema has no flag for it. What is no letter stands
    /// as it is.
    public static String inAnyCase(String text) {
        var form = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetter(c))
                form.append('[')
                        .append(Character.toUpperCase(c))
                        .append(Character.toLowerCase(c))
                        .append(']');
            else form.append(c);
        }
        return form.toString();
    }

    /// The schema of an object that has something in the field `name`, for [ConfigNode#obeys].
    public static String given(String name) {
        return "{\"required\": [\"NAME\"], \"properties\": {\"NAME\": {\"not\": {\"type\": \"null\"}}}}"
                .replace("NAME", name);
    }

    /// The schema of an object that has something in one of the fields at least, for [ConfigNode#obeys].
    public static String given(List<String> names) {
        return "{\"anyOf\": ["
                + String.join(", ", names.stream().map(JsonSchema::given).toList()) + "]}";
    }

    public ObjectNode write(Shape shape) {
        List<Kind> kinds = shape.kinds();
        ObjectNode json =
                kinds.size() == 1 ? write(kinds.getFirst()) : Json.mapper().createObjectNode();
        if (kinds.size() > 1) {
            ArrayNode any = json.putArray("anyOf");
            for (Kind each : kinds) any.add(write(each));
        }
        String described = described(shape);
        if (!described.isEmpty()) json.put("description", described);
        if (!shape.pattern().isEmpty()) json.put("pattern", whole(shape.pattern()));
        if (!shape.names().isEmpty()) json.putObject("propertyNames").put("pattern", whole(shape.names()));
        shape.extent().ifPresent(extent -> addExtent(shape.kinds(), extent, json));
        FieldRules.add(shape.rules(), json);
        if (shape.fallback().isPresent() && shape.unlessGiven().isEmpty())
            json.set("default", shape.fallback().get());
        return json;
    }

    private static String described(Shape shape) {
        boolean isScalar =
                shape.kinds().stream().noneMatch(kind -> kind instanceof Kind.Items || kind instanceof Kind.Members);
        String form = shape.form().isEmpty() || !isScalar ? "" : " (" + shape.form() + ')';
        String otherwise = shape.unlessGiven().isEmpty() ? "" : "; unless given: " + shape.unlessGiven();
        String text = shape.meaning() + form + otherwise;
        return text.startsWith("; ") ? text.substring(2) : text.strip();
    }

    private static String whole(String pattern) {
        return pattern.contains("|") ? "^(" + pattern + ")$" : "^" + pattern + "$";
    }

    /// Of the array or object that may stand here; else of the text.
    private static void addExtent(List<Kind> kinds, Extent extent, ObjectNode json) {
        String what = "Length";
        for (Kind each : kinds) {
            if (each instanceof Kind.Items) what = "Items";
            if (each instanceof Kind.Members || each instanceof Kind.Fields) what = "Properties";
        }
        int least = json.path("min" + what).asInt(0);
        json.put("min" + what, Math.max(least, extent.least()));
        if (extent.most() < Integer.MAX_VALUE) json.put("max" + what, extent.most());
    }

    private ObjectNode write(Kind kind) {
        ObjectNode json = Json.mapper().createObjectNode();
        return switch (kind) {
            case Kind.Text(boolean some) -> some ? text(json).put("minLength", 1) : text(json);
            case Kind.Scalar() -> {
                json.putArray("type").add("string").add("number").add("boolean");
                yield json;
            }
            case Kind.Flag() -> json.put("type", "boolean");
            case Kind.Share() -> json.put("type", "number").put("minimum", 0).put("maximum", 1);
            case Kind.Whole(long min, long max) -> bounded(json.put("type", "integer"), min, max);
            case Kind.Length(Duration min, Duration max) -> text(json).put("pattern", NumberPattern.of(min, max));
            case Kind.Size(long min, long max) -> {
                json.putArray("type").add("integer").add("string");
                yield bounded(json, min, max).put("pattern", NumberPattern.ofSize(min, max));
            }
            case Kind.Time() -> text(json).put("format", "date-time").put("pattern", TIME);
            case Kind.Choice(List<String> words) -> {
                ArrayNode all = json.putArray("enum");
                words.forEach(all::add);
                yield json;
            }
            case Kind.Items(Shape element) -> {
                json.put("type", "array").set("items", orNull(element));
                yield json;
            }
            case Kind.Members(Shape value) -> {
                json.put("type", "object").set("additionalProperties", orNull(value));
                yield json;
            }
            case Kind.Fields(Map<String, Shape> fields, boolean closed) -> fields(json, fields, closed);
            case Kind.Named(String shape) -> json.put("$ref", references + shape);
            case Kind.OneOf(Map<String, Shape> alternatives) -> {
                ArrayNode all = json.putArray("oneOf");
                alternatives.forEach((name, each) -> all.add(write(each).put("title", name)));
                yield json;
            }
        };
    }

    private ObjectNode fields(ObjectNode json, Map<String, Shape> fields, boolean closed) {
        json.put("type", "object");
        if (fields.values().stream().anyMatch(Shape::required)) {
            ArrayNode required = json.putArray("required");
            fields.forEach((name, field) -> {
                if (field.required()) required.add(name);
            });
        }
        ObjectNode properties = json.putObject("properties");
        fields.forEach((name, field) -> properties.set(name, orNull(field)));
        return closed ? json.put("additionalProperties", false) : json;
    }

    /// With null, unless the shape is required. What allows anything allows null already.
    private ObjectNode orNull(Shape shape) {
        ObjectNode json = write(shape);
        if (shape.required()) return json;
        JsonNode reference = json.remove("$ref");
        if (reference != null) json.putArray("anyOf").addObject().set("$ref", reference);
        if (json.get("anyOf") instanceof ArrayNode any) any.addObject().put("type", "null");
        else if (json.get("oneOf") instanceof ArrayNode one) one.addObject().put("type", "null");
        else if (json.get("enum") instanceof ArrayNode words) words.addNull();
        else if (json.get("type") instanceof ArrayNode types) types.add("null");
        else if (json.has("type"))
            json.set(
                    "type",
                    Json.mapper().createArrayNode().add(json.get("type")).add("null"));
        return json;
    }

    private static ObjectNode text(ObjectNode json) {
        return json.put("type", "string");
    }

    private static ObjectNode bounded(ObjectNode json, long min, long max) {
        json.put("minimum", min);
        return json.put("maximum", max);
    }
}
