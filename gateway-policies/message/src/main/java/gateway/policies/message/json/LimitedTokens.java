package gateway.policies.message.json;

import gateway.http.Problem;
import gateway.json.Json;
import gateway.json.Utf8;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/// Reads JSON token by token up to the first that is one too many, or too long. Nothing is built of it but the names
/// of the objects that are open, by which a name that comes twice is found.
final class LimitedTokens {
    private final JsonLimits limits;
    private final JsonFactory factory;

    LimitedTokens(JsonLimits limits) {
        this.limits = limits;
        var bounds = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxNameLength(limits.name())
                .maxStringLength(limits.text())
                .maxNumberLength(limits.number())
                .maxTokenCount(limits.tokens())
                .build();
        this.factory = JsonFactory.builder()
                .streamReadConstraints(bounds)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .build();
    }

    Optional<Problem> flaw(byte[] content) {
        if (!Utf8.holds(content)) return Optional.of(JsonBodies.malformed("not valid JSON: not UTF-8"));
        int begin = Utf8.mark(content);
        try (JsonParser parser =
                factory.createParser(ObjectReadContext.empty(), content, begin, content.length - begin)) {
            return walk(parser);
        }
    }

    private Optional<Problem> walk(JsonParser parser) {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) return Optional.of(JsonBodies.malformed("not valid JSON: nothing but blanks"));
            for (JsonToken token = first; token != null; token = parser.nextToken()) {
                Optional<Problem> flaw = flaw(parser, token);
                if (flaw.isPresent()) return flaw;
                if (isRoot(parser) && (token.isScalarValue() || token.isStructEnd())) return end(parser);
            }
            return Optional.of(JsonBodies.malformed("not valid JSON: it is cut off"));
        } catch (StreamConstraintsException e) {
            return Optional.of(
                    JsonBodies.tooComplex(pointer(parser), expected(String.valueOf(e.getOriginalMessage()))));
        } catch (JacksonException e) {
            return Optional.of(JsonBodies.malformed(Json.flaw(e)));
        }
    }

    private static boolean isRoot(JsonParser parser) {
        return parser.streamReadContext().inRoot();
    }

    private static Optional<Problem> end(JsonParser parser) {
        return parser.nextToken() == null
                ? Optional.empty()
                : Optional.of(JsonBodies.malformed("not valid JSON: something stands behind its end"));
    }

    /// The parser bounds most by itself, while it reads; what it would skip is looked at here.
    private Optional<Problem> flaw(JsonParser parser, JsonToken token) {
        return switch (token) {
            case PROPERTY_NAME ->
                parser.currentName().length() > limits.name()
                        ? tooComplex(parser, names())
                        : parser.streamReadContext().getCurrentIndex() >= limits.members()
                                ? tooComplex(parser, "at most " + limits.members() + " members")
                                : Optional.empty();
            case VALUE_STRING ->
                parser.getStringLength() > limits.text() ? tooComplex(parser, texts()) : elements(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                parser.getStringLength() > limits.number() ? tooComplex(parser, numbers()) : elements(parser);
            case START_OBJECT, START_ARRAY, END_OBJECT, END_ARRAY, VALUE_TRUE, VALUE_FALSE, VALUE_NULL ->
                elements(parser);
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw new IllegalStateException(token + " in text");
        };
    }

    private Optional<Problem> elements(JsonParser parser) {
        var context = parser.streamReadContext();
        return context.inArray() && context.getCurrentIndex() >= limits.elements()
                ? tooComplex(parser, "at most " + limits.elements() + " elements")
                : Optional.empty();
    }

    private static Optional<Problem> tooComplex(JsonParser parser, String expected) {
        return Optional.of(JsonBodies.tooComplex(pointer(parser), expected));
    }

    private static String pointer(JsonParser parser) {
        var context = parser.streamReadContext();
        return context.pathAsPointer().toString();
    }

    /// In our words, since the parser's tell what it is made of.
    private String expected(String said) {
        if (said.startsWith("Document nesting depth")) return "at most " + limits.depth() + " levels";
        if (said.startsWith("Token count")) return "at most " + limits.tokens() + " names, values and brackets";
        if (said.startsWith("Name ") || said.startsWith("Name length")) return names();
        if (said.startsWith("Number")) return numbers();
        return texts();
    }

    private String names() {
        return "names of at most " + limits.name() + " characters";
    }

    private String numbers() {
        return "numbers of at most " + limits.number() + " characters";
    }

    private String texts() {
        return "texts of at most " + limits.text() + " characters";
    }
}
