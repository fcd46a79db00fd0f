package gateway.policies.message.openapi;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/// The text of an OpenAPI document: JSON where it begins with a brace, else YAML of one document without aliases, which
/// could make much of little.
final class DocumentText {
    private static final int DEEPEST = 64; // as JSON has it
    private static final int LONGEST = 16 << 20; // characters

    private DocumentText() {}

    /// @throws InvalidConfigException when it is neither
    static JsonNode read(byte[] text) {
        return first(text) == '{' ? Json.parse(text, _ -> {}) : yaml(text);
    }

    private static int first(byte[] text) {
        for (int i = Utf8.mark(text); i < text.length; i++) if (text[i] > ' ') return text[i];
        return -1;
    }

    private static JsonNode yaml(byte[] bytes) {
        if (!Utf8.holds(bytes)) throw new InvalidConfigException("", "not valid YAML: not UTF-8");
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            YAMLMapper mapper = mapper();
            refuseAliases(mapper, text);
            return mapper.readTree(text);
        } catch (JacksonException e) {
            String said =
                    String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
            String at =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new InvalidConfigException("", "not valid YAML" + at + ": " + said);
        }
    }

    private static YAMLMapper mapper() {
        var bounds = StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(100)
                .build();
        var factory = YAMLFactory.builder()
                .streamReadConstraints(bounds)
                .loadSettings(LoadSettings.builder().setCodePointLimit(LONGEST).build())
                .build();
        return YAMLMapper.builder(factory)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES) // past the largest exponent it throws
                .build();
    }

    /// Jackson would take the name of an alias for a text.
    private static void refuseAliases(YAMLMapper mapper, String text) {
        try (JsonParser parser = mapper.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                boolean alias = parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
                if (alias)
                    throw new InvalidConfigException(
                            "",
                            "expected YAML without aliases, got one at line "
                                    + parser.currentTokenLocation().getLineNr());
            }
        }
    }
}
