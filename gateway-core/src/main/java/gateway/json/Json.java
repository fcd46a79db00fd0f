package gateway.json;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Strict JSON text to tree and back: duplicate names, trailing text, depth over 64 and numbers over 100 digits are
/// refused (RFC 8259; the limits keep hostile input cheap).
public final class Json {
    private static final Pattern SOURCE = Pattern.compile("\\s*(\\(start marker at )?\\[Source: [^]]*](\\))?");
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(64)
                            .maxNumberLength(100)
                            .maxStringLength(4 * 1024 * 1024)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private Json() {}

    /// The tree of `text`.
    ///
    /// @throws InvalidConfigException with line and column when it is not one strict JSON value
    public static JsonNode parse(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (tree.isMissingNode()) throw new InvalidConfigException("", "expected a JSON value, got nothing");
            return tree;
        } catch (JacksonException e) {
            throw new InvalidConfigException("", "not valid JSON" + at(e) + ": " + reason(e));
        }
    }

    /// `tree` as indented text, as stored objects are kept and answered.
    public static String pretty(JsonNode tree) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    }

    /// `tree` as one line of text.
    public static String compact(JsonNode tree) {
        return MAPPER.writeValueAsString(tree);
    }

    /// The mapper behind this class, for building trees and writing records of plain values.
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /// What Jackson says, without what it says of where the text came from.
    private static String reason(JacksonException e) {
        return SOURCE.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
    }

    private static String at(JacksonException e) {
        var location = e.getLocation();
        if (location == null || location.getLineNr() < 1) return "";
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
