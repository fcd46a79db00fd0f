package gateway.policies.message.openapi;

import gateway.policies.message.schema.CompiledSchema;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Reads what a document says of contents.
final class ContentReader {
    private static final int MOST_TYPES = 50;
    private static final int MOST_WRITINGS = 200;

    private final OpenApiDocument document;

    ContentReader(OpenApiDocument document) {
        this.document = document;
    }

    /// @param place of `requestBody`, or of what holds `content`
    DescribedContent read(DocumentPlace place) {
        DocumentPlace content = place.at("content");
        var media = new TreeMap<String, Optional<MediaSchema>>();
        for (String each : content.tree().propertyNames()) {
            String type = each.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (type.indexOf('/') < 1) document.problem(content.at(each), "expected a media type");
            media.putIfAbsent(type, schema(content.at(each)));
        }
        if (media.size() > MOST_TYPES) document.problem(content, "expected at most " + MOST_TYPES + " media types");
        return new DescribedContent(place.tree().path("required").asBoolean(false), media);
    }

    private Optional<MediaSchema> schema(DocumentPlace media) {
        DocumentPlace schema = media.at("schema");
        if (schema.tree().isMissingNode()) return Optional.empty();
        CompiledSchema compiled = document.schemas().at(schema.tree(), schema.pointer());
        ValueShape shape = ShapeReader.of(schema.tree(), document);
        return Optional.of(new MediaSchema(compiled, new FormSchema(shape, writings(media, shape))));
    }

    /// Of members that are objects, which are JSON, and of those that `encoding` names.
    private Map<String, FieldWriting> writings(DocumentPlace media, ValueShape shape) {
        var writings = new HashMap<String, FieldWriting>();
        shape.members().forEach((name, member) -> {
            ValueShape inner = member.may(ValueKind.ARRAY) ? member.element() : member;
            boolean json = inner.may(ValueKind.OBJECT) && !inner.may(ValueKind.TEXT);
            if (json)
                writings.put(name, new FieldWriting(FieldWriting.usual(name).texts(), true, Set.of()));
        });
        DocumentPlace encoding = media.at("encoding");
        for (String name : encoding.tree().propertyNames())
            writings.put(name, writing(encoding.at(name), name, writings));
        if (writings.size() > MOST_WRITINGS)
            document.problem(encoding, "expected at most " + MOST_WRITINGS + " fields that are written otherwise");
        return writings;
    }

    private FieldWriting writing(DocumentPlace place, String name, Map<String, FieldWriting> usual) {
        Set<String> types = Arrays.stream(place.text("contentType").split(","))
                .map(each -> each.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.toSet());
        boolean styled = place.has("style") || place.has("explode") || place.has("allowReserved");
        boolean json = types.isEmpty()
                ? !styled && usual.containsKey(name) && usual.get(name).json()
                : types.stream().allMatch(each -> each.equals("application/json") || each.endsWith("+json"));
        return new FieldWriting(style(place, name, ParameterStyle.FORM), json, types);
    }

    /// @param place of a parameter or an encoding
    StyledTexts style(DocumentPlace place, String name, ParameterStyle usual) {
        ParameterStyle style = usual;
        if (place.has("style")) {
            Optional<ParameterStyle> said = ParameterStyle.of(place.text("style"));
            if (said.isEmpty()) document.problem(place.at("style"), "expected a style of parameters");
            style = said.orElse(usual);
        }
        JsonNode explode = place.tree().path("explode");
        return new StyledTexts(style, explode.asBoolean(style == ParameterStyle.FORM), name);
    }
}
