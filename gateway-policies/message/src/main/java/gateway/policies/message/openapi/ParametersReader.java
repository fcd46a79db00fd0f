package gateway.policies.message.openapi;

import gateway.json.Json;
import gateway.policies.message.schema.CompiledSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads the parameters of operations and the headers of answers.
final class ParametersReader {
    private static final int MOST = 200;
    private static final Set<String> NO_PARAMETERS = Set.of("accept", "content-type", "authorization");

    private final OpenApiDocument document;
    private final ContentReader contents;

    ParametersReader(OpenApiDocument document, ContentReader contents) {
        this.document = document;
        this.contents = contents;
    }

    /// Those of an operation, which win over those of its path.
    List<DescribedParameter> read(DocumentPlace path, DocumentPlace operation) {
        Map<String, DescribedParameter> all = new LinkedHashMap<>();
        for (DocumentPlace list : List.of(path.at("parameters"), operation.at("parameters"))) {
            for (int i = 0; i < list.tree().size(); i++) {
                document.resolved(list.at(i))
                        .flatMap(this::parameter)
                        .ifPresent(each -> all.put(each.in().written() + ' ' + each.name(), each));
            }
            if (list.tree().size() > MOST) document.problem(list, "expected at most " + MOST + " parameters");
        }
        Set<String> query = all.values().stream()
                .filter(each -> each.in() == ParameterPlace.QUERY)
                .map(DescribedParameter::name)
                .collect(Collectors.toSet());
        return all.values().stream().map(each -> each.beside(query)).toList();
    }

    private Optional<DescribedParameter> parameter(DocumentPlace place) {
        String name = place.text("name");
        Optional<ParameterPlace> in = ParameterPlace.of(place.text("in"));
        if (name.isEmpty()) document.problem(place, "expected a parameter with a name");
        if (in.isEmpty()) document.problem(place.at("in"), "expected query, path, header or cookie");
        if (name.isEmpty() || in.isEmpty()) return Optional.empty();
        boolean header = in.get() == ParameterPlace.HEADER;
        if (header && NO_PARAMETERS.contains(name.toLowerCase(Locale.ROOT))) return Optional.empty();
        return Optional.of(described(place, in.get(), name));
    }

    private DescribedParameter described(DocumentPlace place, ParameterPlace in, String name) {
        DocumentPlace schema = schema(place);
        StyledTexts style = contents.style(place, name, in.usual());
        if (!in.has(style.style()))
            document.problem(
                    place.at("style"), "expected a style that a parameter in the " + in.written() + " may have");
        CompiledSchema compiled = document.schemas().at(schema.tree(), schema.pointer());
        return new DescribedParameter(
                in,
                name,
                in == ParameterPlace.PATH || place.tree().path("required").asBoolean(false),
                place.tree().path("allowEmptyValue").asBoolean(false),
                isJson(place),
                style,
                ShapeReader.of(schema.tree(), document),
                compiled,
                Set.of());
    }

    /// Its schema, or that of its one content, or one that holds of all.
    private static DocumentPlace schema(DocumentPlace place) {
        DocumentPlace schema = place.at("schema");
        if (!schema.tree().isMissingNode()) return schema;
        for (String type : place.tree().path("content").propertyNames()) {
            DocumentPlace inner = place.at("content").at(type).at("schema");
            if (!inner.tree().isMissingNode()) return inner;
        }
        return new DocumentPlace(Json.mapper().createObjectNode(), place.pointer());
    }

    private static boolean isJson(DocumentPlace place) {
        for (String type : place.tree().path("content").propertyNames())
            if (type.startsWith("application/json") || type.endsWith("+json")) return true;
        return false;
    }

    /// The headers of an answer.
    List<DescribedParameter> headers(DocumentPlace place) {
        var headers = new ArrayList<DescribedParameter>();
        for (String name : place.tree().propertyNames()) {
            if (name.equalsIgnoreCase("Content-Type")) continue;
            document.resolved(place.at(name))
                    .map(each -> described(each, ParameterPlace.HEADER, name))
                    .ifPresent(headers::add);
        }
        if (headers.size() > MOST) document.problem(place, "expected at most " + MOST + " headers");
        return headers;
    }
}
