package gateway.policy;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// JSON of a definition whose texts may hold placeholders. Values of callers stay texts where the definition has
/// texts: they change no structure.
public sealed interface FilledJson {
    record Constant(JsonNode value) implements FilledJson {}

    record Text(Template template) implements FilledJson {}

    record Members(Map<String, FilledJson> members) implements FilledJson {}

    record Elements(List<FilledJson> elements) implements FilledJson {}

    static FilledJson read(ConfigNode node) {
        return of(node.json().orElseGet(() -> Json.mapper().nullNode()), node);
    }

    /// @param node where problems of any of its texts are told
    private static FilledJson of(JsonNode json, ConfigNode node) {
        if (json.isObject()) {
            var members = new LinkedHashMap<String, FilledJson>();
            for (String name : json.propertyNames()) members.put(name, of(json.get(name), node));
            return new Members(members);
        }
        if (json.isArray())
            return new Elements(
                    json.values().stream().map(each -> of(each, node)).toList());
        return json.isString()
                ? new Text(Template.read(json.stringValue(), node, TemplatePlace.VALUE))
                : new Constant(json);
    }

    /// What it is for one request: parts of it are shared with other requests, so it is not to be changed.
    default JsonNode of(Exchange exchange) {
        return switch (this) {
            case Constant(var value) -> value;
            case Text(var template) -> Json.mapper().getNodeFactory().stringNode(template.render(exchange));
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
            case Members(var members) -> members.values().stream().flatMap(FilledJson::placeholders);
            case Elements(var elements) -> elements.stream().flatMap(FilledJson::placeholders);
        };
    }
}
