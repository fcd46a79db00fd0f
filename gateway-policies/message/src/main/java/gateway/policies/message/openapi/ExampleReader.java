package gateway.policies.message.openapi;

import gateway.http.Body;
import gateway.http.HeaderText;
import gateway.http.HeldBody;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads what a document has as examples of answers. Where it has none of a content in JSON, one is made of its schema.
final class ExampleReader {
    private static final long MOST_BYTES = 8 << 20; // of all examples of a document

    private final OpenApiDocument document;
    private long bytes;

    ExampleReader(OpenApiDocument document) {
        this.document = document;
    }

    DescribedExamples read(DocumentPlace answer) {
        DocumentPlace content = answer.at("content");
        var contents = new ArrayList<DescribedExamples.Content>();
        for (String type : content.tree().propertyNames()) add(type, content.at(type), contents);
        return new DescribedExamples(headers(answer.at("headers")), contents);
    }

    private void add(String type, DocumentPlace place, List<DescribedExamples.Content> contents) {
        String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (media.indexOf('*') >= 0 || !HeaderText.isValue(type)) return; // a range is no type
        boolean json = media.equals("application/json") || media.endsWith("+json");
        DocumentPlace named = place.at("examples");
        for (String name : named.tree().propertyNames())
            document.resolved(named.at(name))
                    .map(each -> each.tree().path("value"))
                    .flatMap(value -> body(value, json, place))
                    .ifPresent(body -> contents.add(new DescribedExamples.Content(name, type, media, body)));
        if (!named.tree().isEmpty()) return;
        JsonNode single = place.tree().path("example");
        JsonNode value = single.isMissingNode() && json
                ? new SchemaSample(document).of(place.tree().path("schema"))
                : single;
        body(value, json, place).ifPresent(body -> contents.add(new DescribedExamples.Content("", type, media, body)));
    }

    /// Empty where there is none, and where it is no text of a type that is not JSON.
    private Optional<HeldBody> body(JsonNode value, boolean json, DocumentPlace place) {
        if (value.isMissingNode() || (!json && !value.isString())) return Optional.empty();
        byte[] content = (json ? Json.compact(value) : value.stringValue()).getBytes(StandardCharsets.UTF_8);
        if (bytes <= MOST_BYTES && bytes + content.length > MOST_BYTES)
            document.problem(place, "expected at most " + MOST_BYTES + " bytes of examples in all");
        bytes += content.length;
        return Optional.of(Body.of(content));
    }

    private Map<String, String> headers(DocumentPlace headers) {
        var values = new HashMap<String, String>();
        for (String name : headers.tree().propertyNames()) {
            if (!HeaderText.isToken(name) || HeaderText.isReserved(name) || name.equalsIgnoreCase("Content-Type"))
                continue;
            document.resolved(headers.at(name))
                    .map(each -> each.has("example")
                            ? each.tree().get("example")
                            : document.target(each.tree().path("schema")).path("example"))
                    .filter(value -> value.isValueNode() && !value.isNull())
                    .map(JsonNode::asString)
                    .filter(HeaderText::isValue)
                    .ifPresent(value -> values.put(name, value));
        }
        return values;
    }
}
