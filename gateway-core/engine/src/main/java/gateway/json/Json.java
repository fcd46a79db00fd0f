package gateway.json;

import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/// Strict JSON text to tree and back: duplicate names, trailing text, depth over 64 and numbers over 100 digits are
/// refused (RFC 8259; the limits keep hostile input cheap).
public final class Json {
    private static final Pattern SOURCE = Pattern.compile("\\s*(\\(start marker at )?\\[Source: [^]]*](\\))?");
    private static final int MOST_LEVELS = 64;
    private static final int MOST_DIGITS = 100; // of a number
    private static final int MOST_MEBIBYTES = 4; // of a text
    private static final int MOST_IN_NAME = 50_000; // characters
    private static final JsonMapper MAPPER = mapper(Long.MAX_VALUE);
    private static final long BYTES_FOR_A_TOKEN = 4096; // of the heap; what is made of one takes up to a kilobyte
    private static final long MOST_TOKENS = Runtime.getRuntime().maxMemory() / BYTES_FOR_A_TOKEN;
    private static final JsonMapper OF_CALLERS = mapper(MOST_TOKENS);
    private static final JsonMapper OF_MESSAGES = ofMessages();

    private Json() {}

    private static JsonMapper mapper(long tokens) {
        return builder(JsonFactory.builder().streamReadConstraints(bounds(tokens)))
                .build();
    }

    /// Numbers keep their digits, and it is UTF-8 or nothing: Jackson would find out by itself that it is UTF-16.
    private static JsonMapper ofMessages() {
        return builder(JsonFactory.builder()
                        .streamReadConstraints(bounds(Long.MAX_VALUE))
                        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION))
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }

    private static StreamReadConstraints bounds(long tokens) {
        return StreamReadConstraints.builder()
                .maxNestingDepth(MOST_LEVELS)
                .maxNumberLength(MOST_DIGITS)
                .maxStringLength(MOST_MEBIBYTES << 20)
                .maxNameLength(MOST_IN_NAME)
                .maxTokenCount(tokens)
                .build();
    }

    private static JsonMapper.Builder builder(JsonFactoryBuilder factory) {
        return JsonMapper.builder(factory.build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    }

    /// The tree of `text`.
    ///
    /// @throws InvalidConfigException with line and column when it is not one strict JSON value
    public static JsonNode parse(String text) {
        return parse(MAPPER, text);
    }

    /// The tree of what a caller sent: no more names, values and brackets than a tree in this heap has room for, as
    /// `[[],[],…]` takes 30 times its bytes.
    ///
    /// @throws InvalidConfigException as [#parse], and when it has more
    public static JsonNode parseBounded(String text) {
        return parse(OF_CALLERS, text);
    }

    /// The tree of the content of a message: UTF-8, of which a mark at its begin is dropped. Numbers keep their digits.
    ///
    /// @param takes told how many bytes of memory more the tree takes, before it does; what it throws comes out
    ///     of here
    /// @throws JsonLimitException when it is more than is read
    /// @throws InvalidConfigException as [#parse(String)]
    public static JsonNode parse(byte[] content, LongConsumer takes) {
        if (!Utf8.holds(content)) throw new InvalidConfigException("", "not valid JSON: not UTF-8");
        takes.accept(2L * content.length); // texts, which may take two bytes for each
        int begin = Utf8.mark(content);
        var text = OF_MESSAGES.createParser(content, begin, content.length - begin);
        try (var parser = new MeteredParser(text, takes)) {
            JsonNode tree = OF_MESSAGES.readTree(parser);
            if (tree == null || tree.isMissingNode())
                throw new InvalidConfigException("", "not valid JSON: nothing but blanks");
            if (parser.nextToken() == null) return tree;
            throw new InvalidConfigException("", "not valid JSON: something stands behind its end");
        } catch (JacksonException e) {
            throw brokenMessage(e);
        } catch (ArithmeticException | NumberFormatException e) { // an exponent that no number in memory has
            throw new JsonLimitException("JSON with a number whose exponent is too large");
        }
    }

    private static JsonNode parse(JsonMapper mapper, String text) {
        try {
            return some(mapper.readTree(text));
        } catch (JacksonException e) {
            throw broken(e);
        } catch (ArithmeticException | NumberFormatException e) { // an exponent that no number in memory has
            throw new InvalidConfigException("", "not valid JSON here: a number with an exponent that is too large");
        }
    }

    private static JsonNode some(@Nullable JsonNode tree) {
        if (tree == null || tree.isMissingNode())
            throw new InvalidConfigException("", "expected a JSON value, got nothing");
        return tree;
    }

    private static InvalidConfigException broken(JacksonException e) {
        return new InvalidConfigException("", "not valid JSON" + at(e) + ": " + reason(e));
    }

    /// Without what stands there: who is told need not be who sent it.
    private static InvalidConfigException brokenMessage(JacksonException e) {
        return e instanceof StreamConstraintsException
                ? new JsonLimitException("JSON" + at(e) + " of more than " + MOST_LEVELS
                        + " levels, or with a number of more than " + MOST_DIGITS + " digits, a text of more than "
                        + MOST_MEBIBYTES + " MiB or a name of more than " + MOST_IN_NAME + " characters")
                : new InvalidConfigException("", flaw(e));
    }

    /// What is wrong with the JSON of a message: where, and whether a name is the flaw, without what stands there.
    public static String flaw(JacksonException e) {
        boolean twice = String.valueOf(e.getOriginalMessage()).startsWith("Duplicate ");
        return "not valid JSON" + at(e) + (twice ? ": a name that its object has already" : "");
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
        String said = String.valueOf(e.getOriginalMessage());
        if (said.startsWith("Token count")) {
            return "expected at most " + MOST_TOKENS + " names, values and brackets, as many as the heap has room for";
        }
        return SOURCE.matcher(said).replaceAll("");
    }

    private static String at(JacksonException e) {
        var location = e.getLocation();
        if (location == null || location.getLineNr() < 1) return "";
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
