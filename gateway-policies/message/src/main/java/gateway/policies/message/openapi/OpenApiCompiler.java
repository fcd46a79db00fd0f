package gateway.policies.message.openapi;

import gateway.json.InvalidConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes the table of operations of an OpenAPI document.
final class OpenApiCompiler {
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");
    private static final int MOST_PATHS = 5_000;

    private final OpenApiDocument document;
    private final ContentReader contents;
    private final ParametersReader parameters;
    private final Optional<ExampleReader> examples;

    private OpenApiCompiler(OpenApiDocument document, boolean examples) {
        this.document = document;
        this.examples = examples ? Optional.of(new ExampleReader(document)) : Optional.empty();
        this.contents = new ContentReader(document);
        this.parameters = new ParametersReader(document, contents);
    }

    /// @param examples whether answers have their examples
    /// @throws InvalidConfigException with each thing wrong with the document
    static OperationTable compile(OpenApiDocument document, boolean examples) {
        OperationTable table = new OpenApiCompiler(document, examples).table();
        document.complete();
        return table;
    }

    private OperationTable table() {
        var table = new OperationTable();
        DocumentPlace paths = document.root().at("paths");
        if (!paths.tree().isObject()) document.problem(paths, "expected paths");
        if (paths.tree().size() > MOST_PATHS) document.problem(paths, "expected at most " + MOST_PATHS + " paths");
        for (String template : paths.tree().propertyNames()) {
            if (template.startsWith("x-")) continue;
            DocumentPlace place = paths.at(template);
            Optional<List<TemplateSegment>> segments = segments(template);
            if (segments.isEmpty())
                document.problem(place, "expected a path that begins with \"/\", with parameters in braces");
            else
                document.resolved(place)
                        .map(item -> new DescribedPath(segments.get(), operations(item, segments.get())))
                        .filter(path -> !table.add(path))
                        .ifPresent(
                                _ -> document.problem(place, "expected no method twice at paths that match the same"));
        }
        return table;
    }

    private static Optional<List<TemplateSegment>> segments(String template) {
        if (!template.startsWith("/")) return Optional.empty();
        var segments = new ArrayList<TemplateSegment>();
        for (String each : template.substring(1).split("/", -1)) {
            Optional<TemplateSegment> segment = PercentText.decoded(each, false).flatMap(TemplateSegment::of);
            if (segment.isEmpty()) return Optional.empty();
            segments.add(segment.get());
        }
        return Optional.of(segments);
    }

    private static Set<String> names(List<TemplateSegment> segments) {
        var names = new HashSet<String>();
        segments.forEach(each -> names.addAll(each.names()));
        return names;
    }

    private Map<String, DescribedOperation> operations(DocumentPlace item, List<TemplateSegment> segments) {
        var operations = new HashMap<String, DescribedOperation>();
        for (String method : METHODS) {
            if (!item.has(method)) continue;
            operations.put(method.toUpperCase(Locale.ROOT), operation(item, item.at(method), segments));
        }
        return operations;
    }

    private DescribedOperation operation(DocumentPlace item, DocumentPlace place, List<TemplateSegment> segments) {
        Set<String> names = names(segments);
        List<DescribedParameter> all = parameters.read(item, place);
        for (DescribedParameter each : all) {
            if (each.in() == ParameterPlace.PATH && !names.contains(each.name()))
                document.problem(place, "expected the parameter \"" + each.name() + "\" in the path");
        }
        DocumentPlace body = place.at("requestBody");
        DescribedContent content = body.tree().isMissingNode()
                ? DescribedContent.NONE
                : document.resolved(body).map(contents::read).orElse(DescribedContent.NONE);
        var answers = new HashMap<String, DescribedAnswer>();
        DocumentPlace responses = place.at("responses");
        for (String status : responses.tree().propertyNames()) {
            if (status.startsWith("x-")) continue;
            if (!status.matches("[1-5]([0-9][0-9]|XX)|default"))
                document.problem(responses.at(status), "expected a status such as 200, 2XX or default");
            document.resolved(responses.at(status))
                    .map(each -> new DescribedAnswer(
                            parameters.headers(each.at("headers")),
                            contents.read(each),
                            examples.map(reader -> reader.read(each)).orElse(DescribedExamples.NONE)))
                    .ifPresent(each -> answers.put(status, each));
        }
        return new DescribedOperation(
                segments, all, uses(all, ParameterPlace.QUERY), uses(all, ParameterPlace.COOKIE), content, answers);
    }

    private static boolean uses(List<DescribedParameter> parameters, ParameterPlace in) {
        return parameters.stream().anyMatch(each -> each.in() == in);
    }
}
