package gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.io.StringReader;
import java.net.URI;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class TemplateTest {
    @Property
    void any_text_stands_for_itself_when_its_opening_braces_are_doubled(
            @ForAll @StringLength(min = 1, max = 12) @Chars({'{', '}', 'a', '.'}) String text) {
        assertThat(rendered(text.replace("{", "{{"), Exchanges.get("/").make())).isEqualTo(text);
    }

    @Test
    void doubled_braces_stand_for_one_beside_placeholders_too() {
        assertThat(rendered("{{{request.method}}", Exchanges.get("/").make())).isEqualTo("{GET}");
        assertThat(rendered("{request.method}{{x}", Exchanges.get("/").make())).isEqualTo("GET{x}");
    }

    @Test
    void a_header_that_came_twice_gives_its_first_value() {
        var exchange = Exchanges.get("/").with("X-A", "1").with("X-A", "2").make();

        assertThat(rendered("<{request.header.x-a}>", exchange)).isEqualTo("<1>");
    }

    @Test
    void the_name_of_a_header_or_of_metadata_is_not_guessed() {
        assertThat(problem("{request.header.}")).contains("unknown placeholder \"{request.header.}\"");
        assertThat(problem("{request.header.a b}")).contains("unknown placeholder \"{request.header.a b}\"");
        assertThat(problem("{key.metadata.}")).contains("unknown placeholder \"{key.metadata.}\"");
        assertThat(problem("{}")).contains("unknown placeholder \"{}\"");
    }

    @Test
    void a_placeholder_that_does_not_end_is_named_by_where_it_begins() {
        assertThat(problem("{{ab{key.id}{key")).contains("after \"{\" at character 13");
    }

    @Test
    void a_fact_is_found_by_its_pointer() {
        var exchange = Exchanges.get("/").make();
        exchange.found("jwt", Json.parse("{\"tenant\": \"gold\", \"level\": 3, \"roles\": [\"a\"]}"));

        assertThat(rendered("{fact:/jwt/tenant} {fact:/jwt/level} {fact:/jwt/roles/0}{fact:/jwt/roles}", exchange))
                .isEqualTo("gold 3 a");
    }

    @Property
    void no_value_leaves_its_header(@ForAll String value) {
        assertThat(HeaderText.isValue(escaped(TemplatePlace.HEADER, value))).isTrue();
        assertThat(escaped(TemplatePlace.HEADER, value)).doesNotContain("\r", "\n", "\0");
    }

    @Property
    void no_value_leaves_its_segment_or_parameter(@ForAll String value) {
        assertThat(escaped(TemplatePlace.PATH_SEGMENT, value)).matches("([A-Za-z0-9._~-]|%[0-9A-F]{2})*");
        assertThat(escaped(TemplatePlace.QUERY, value)).matches("([A-Za-z0-9._~-]|%[0-9A-F]{2})*");
        assertThat(URI.create("http://h/a/" + escaped(TemplatePlace.PATH_SEGMENT, value) + "/b")
                        .normalize()
                        .getRawPath())
                .matches(value.isEmpty() ? "/a/b" : "/a/[^/]+/b");
    }

    @Test
    void dots_do_not_lead_upwards() {
        assertThat(escaped(TemplatePlace.PATH_SEGMENT, "..")).isEqualTo("__");
        assertThat(escaped(TemplatePlace.PATH_SEGMENT, ".")).isEqualTo("_");
        assertThat(escaped(TemplatePlace.PATH_SEGMENT, "../x")).isEqualTo("..%2Fx");
    }

    @Property
    void a_json_string_reads_back_as_the_value(@ForAll String value) {
        String json = '"' + escaped(TemplatePlace.JSON_STRING, value) + '"';

        assertThat(Json.parse(json).asString()).isEqualTo(wellFormed(value));
    }

    @Property
    void an_element_and_an_attribute_of_xml_read_back_as_the_value(@ForAll String value) throws Exception {
        String escaped = escaped(TemplatePlace.XML, value);
        var parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();

        var root = parser.parse(new InputSource(new StringReader("<a b='" + escaped + "'>" + escaped + "</a>")))
                .getDocumentElement();

        assertThat(root.getTextContent()).isEqualTo(inXml(value));
        assertThat(root.getAttribute("b")).isEqualTo(inXml(value));
        assertThat(root.getChildNodes().getLength()).isLessThanOrEqualTo(1);
    }

    @Property
    void no_value_leaves_its_text_or_attribute_of_html(
            @ForAll @Chars({'<', '>', '"', '\'', '`', '&', 'a', '\0'}) String value) {
        assertThat(escaped(TemplatePlace.HTML, value)).doesNotContain("<", ">", "\"", "'", "`", "\0");
    }

    @Test
    void the_text_of_the_template_itself_stays_as_it_is() {
        var node = ConfigNode.parse("\"<b>{request.header.x-a}</b>\"");

        Template template = Template.read(node, TemplatePlace.HTML);

        assertThat(template.render(Exchanges.get("/").with("X-A", "<i>").make()))
                .isEqualTo("<b>&lt;i&gt;</b>");
    }

    private static String escaped(TemplatePlace place, String value) {
        return place.escaped(value);
    }

    /// Halves of surrogate pairs are no characters.
    private static String wellFormed(String value) {
        var text = new StringBuilder();
        value.codePoints().forEach(c -> text.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c));
        return text.toString();
    }

    private static String inXml(String value) {
        var text = new StringBuilder();
        wellFormed(value).codePoints().forEach(c -> {
            boolean none = (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF;
            text.appendCodePoint(none ? 0xFFFD : c);
        });
        return text.toString();
    }

    private static String rendered(String template, Exchange exchange) {
        var node = ConfigNode.parse('"' + template + '"');
        Template read = Template.read(node, TemplatePlace.HEADER);
        assertThat(node.problems()).isEmpty();
        return read.render(exchange);
    }

    private static String problem(String template) {
        var node = ConfigNode.parse('"' + template + '"');
        Template.read(node, TemplatePlace.HEADER);
        assertThat(node.problems()).hasSize(1);
        return node.problems().stream().map(ConfigProblem::toString).findFirst().orElseThrow();
    }
}
