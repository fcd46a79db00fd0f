package gateway.policies.message.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.SAXException;

final class RememberingPatternTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[A-Z]{3}; [A-Z]{3}",
                "\\d{4}-\\d{2}; \\d{4}-\\d{2}",
                "[a-z]*(x|y); [a-z]*(x|y)",
                "(a?){50}; ()*()*(()*()*a?){50}",
                "(a|b){2,3}; ()*()*(()*a|()*b){2,3}",
                "([?{|\\]-[(]]|\\p{Lu}?)+; ()*(()*[?{|\\]-[(]]|()*()*\\p{Lu}?)+"
            })
    void has_marks_where_there_are_more_ways_than_one(String pattern, String remembering) {
        assertThat(RememberingPattern.of(pattern)).isEqualTo(remembering);
    }

    /// Each of them would take longer than anybody waits.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(a?){50}a{50}; 49",
                "([a-z]{1,20}-?){1,20}; 401",
                "(a|a|a){40}; 39",
                "(a|aa){1,60}; 121",
                "((a?b?){10}){10}; 101",
                "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a{30}; 61"
            })
    void ends_soon(String pattern, int length) {
        String text = "a".repeat(length);
        Schema schema = schema(RememberingPattern.of(pattern));

        assertTimeoutPreemptively(SOON, () -> assertThat(takes(schema, text)).isFalse());
        assertTimeoutPreemptively(
                SOON, () -> assertThat(takes(schema, text + "!")).isFalse());
    }

    /// The judge is another matcher.
    @Test
    void takes_what_the_pattern_takes() {
        var random = new Random(7);
        for (int i = 0; i < 400; i++) {
            String pattern = pattern(random, 3);
            Pattern judge = Pattern.compile(pattern);
            Schema schema = schema(RememberingPattern.of(pattern));
            for (int j = 0; j < 12; j++) {
                String text = text(random);
                assertThat(takes(schema, text))
                        .as("%s of %s", text, pattern)
                        .isEqualTo(judge.matcher(text).matches());
            }
        }
    }

    private static String pattern(Random random, int depth) {
        var pattern = new StringBuilder();
        int pieces = 1 + random.nextInt(3);
        for (int i = 0; i < pieces; i++) {
            int kind = random.nextInt(depth > 0 ? 6 : 4);
            pattern.append(
                    switch (kind) {
                        case 0 -> "a";
                        case 1 -> "b";
                        case 2 -> "[ab]";
                        case 3 -> "\\.";
                        case 4 -> "(" + pattern(random, depth - 1) + ")";
                        default -> "(" + pattern(random, depth - 1) + "|" + pattern(random, depth - 1) + ")";
                    });
            pattern.append(
                    List.of("", "", "?", "*", "+", "{2}", "{0,2}", "{1,}").get(random.nextInt(8)));
        }
        return pattern.toString();
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        int length = random.nextInt(7);
        for (int i = 0; i < length; i++) text.append("aab.".charAt(random.nextInt(4)));
        return text.toString();
    }

    private static Schema schema(String pattern) {
        String document = """
                <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:simpleType>
                  <xs:restriction base="xs:string"><xs:pattern value="%s"/></xs:restriction>
                </xs:simpleType></xs:element></xs:schema>""".formatted(pattern);
        try {
            return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(new StreamSource(new StringReader(document)));
        } catch (SAXException e) {
            throw new IllegalStateException(pattern, e);
        }
    }

    private static boolean takes(Schema schema, String text) {
        try {
            schema.newValidator()
                    .validate(new StreamSource(new ByteArrayInputStream(("<a>" + text + "</a>").getBytes(UTF_8))));
            return true;
        } catch (SAXException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
