package gateway.policy;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// JSON of a definition whose texts may hold placeholders. Values of callers stay texts where the definition has
/// texts: they change no structure.
public sealed interface FilledJson {
    record Constant(JsonNode value) implements FilledJson {}

    record Text(Template template) implements FilledJson {}

    /// A fact as it is, be it no text; null while it is not known.
    record Fact(String name, JsonPointer place) implements FilledJson {}

    record Members(Map<String, FilledJson> members) implements FilledJson {}

    record Elements(List<FilledJson> elements) implements FilledJson {}

    static FilledJson read(ConfigNode node) {
        return read(node, Map.of());
    }

    /// The same with more placeholders. A text that is one of these alone becomes what that stands for, such as a
    /// number.
    ///
    /// @param own names that these texts alone may have, each with the fact that it stands for
    static FilledJson read(ConfigNode node, Map<String, JsonPointer> own) {
        return of(node.json().orElseGet(() -> Json.mapper().nullNode()), node, own);
    }

    /// @param node where problems of any of its texts are told
    private static FilledJson of(JsonNode json, ConfigNode node, Map<String, JsonPointer> own) {
        if (json.isObject()) {
            var members = new LinkedHashMap<String, FilledJson>();
            for (String name : json.propertyNames()) members.put(name, of(json.get(name), node, own));
            return new Members(members);
        }
        if (json.isArray())
            return new Elements(
                    json.values().stream().map(each -> of(each, node, own)).toList());
        return json.isString() ? ofText(json.stringValue(), node, own) : new Constant(json);
    }

    private static FilledJson ofText(String text, ConfigNode node, Map<String, JsonPointer> own) {
        boolean alone = text.startsWith("{") && text.endsWith("}");
        String name = alone ? text.substring(1, text.length() - 1) : "";
        JsonPointer place = own.get(name);
        return place == null ? new Text(Template.read(text, node, TemplatePlace.VALUE, own)) : new Fact(name, place);
    }

    /// What it is for one request: parts of it are shared with other requests, so it is not to be changed.
    default JsonNode of(Exchange exchange) {
        return switch (this) {
            case Constant(var value) -> value;
            case Text(var template) -> Json.mapper().getNodeFactory().stringNode(template.render(exchange));
            case Fact fact -> exchange.fact(fact.place()).orElseGet(Json.mapper()::nullNode);
            case Members(var members) -> {
                var filled = Json.mapper().createObjectNode();
                members.forEach((name, member) -> filled.set(name, member.of(exchange)));
                yield filled;
            }
            case Elements(var elements) -> {
                var filled = Json.mapper().createArrayNode();
                elements.forEach(element -> filled.add(element.of(exchange)));
                yield filled;
            }
        };
    }

    /// Those of all its texts.
    default Stream<String> placeholders() {
        return switch (this) {
            case Constant _ -> Stream.empty();
            case Text(var template) -> template.placeholders().stream();
            case Fact fact -> Stream.of(fact.name());
            case Members(var members) -> members.values().stream().flatMap(FilledJson::placeholders);
            case Elements(var elements) -> elements.stream().flatMap(FilledJson::placeholders);
        };
    }
}
