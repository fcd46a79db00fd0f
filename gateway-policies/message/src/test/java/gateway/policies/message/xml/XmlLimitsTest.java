package gateway.policies.message.xml;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `content-limits` of XML.
final class XmlLimitsTest {
    private final PolicyRun small = PolicyRun.of("""
            {"type": "content-limits",
             "xml": {"depth": 3, "attributes": 2, "children": 2, "name": 4, "text": 5, "nodes": 9}}""");
    private final PolicyRun usual = PolicyRun.of("{\"type\": \"content-limits\", \"xml\": {}}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a/>",
                "<?xml version='1.0'?>\n<a><b><c/></b></a>",
                "<a b='12345' c=''/>",
                "<a xmlns='urn:1' b='1'/>",
                "<a><b/><b/></a>",
                "<a:cd xmlns:a='urn:1'/>",
                "<a>12<![CDATA[34]]>5<b/>12345</a>",
                "<a>&lt;&#65;<!--12345-->345</a>",
                "<!--12345--><a b='1' c='1'>1<b>1</b>1<b/></a>"
            })
    void lets_what_is_within_its_bounds_pass_as_it_is(String xml) {
        assertThat(post(small, xml).status()).isEqualTo(200);
        assertThat(small.arrived()).isEqualTo(xml);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    <a><b><c><d/></c></b></a>                   | /a/b/c | at most 3 levels
                    <a b='1' c='1' d='1'/>                      | /a     | at most 2 attributes
                    <a xmlns='urn:1' b='1' c='1'/>              | /a     | at most 2 attributes
                    <a><b/><b/><b/></a>                         | /a     | at most 2 elements in one
                    <a><b><c/><c/></b><b><c/><c/><c/></b></a>   | /a/b   | at most 2 elements in one
                    <abcde/>                                    | /      | names of at most 4 characters
                    <a:bcd xmlns:a='urn:1'/>                    | /      | names of at most 4 characters
                    <a abcde='1'/>                              | /a     | names of at most 4 characters
                    <a b='123456'/>                             | /a     | texts of at most 5 characters
                    <a>123456</a>                               | /a     | texts of at most 5 characters
                    <a>12<![CDATA[34]]>56</a>                   | /a     | texts of at most 5 characters
                    <a>123<!-- -->456</a>                       | /a     | texts of at most 5 characters
                    <a><!--123456--></a>                        | /a     | texts of at most 5 characters
                    <a xmlns='urn:123'/>                        | /      | texts of at most 5 characters
                    <a b='1' c='1'><b b='1' c='1'/>1<b>1</b>1</a> | /a   | at most 9 nodes
                    <a><?b?></a>                                | /a     | no processing instruction
                    """)
    void refuses_what_is_over_a_bound_and_says_where(String xml, String path, String expected) {
        assertThat(told(post(small, xml)))
                .matches("400 content-too-complex " + path + ": line 1, column \\d+: expected " + expected);
        assertThat(small.arrived()).isEmpty();
    }

    @Test
    void comments_may_be_refused_and_processing_instructions_allowed() {
        var run = PolicyRun.of(
                "{\"type\": \"content-limits\", \"xml\": {\"comments\": false, \"processingInstructions\": true}}");

        assertThat(post(run, "<?b c?><a/>").status()).isEqualTo(200);
        assertThat(told(post(run, "<a/><!---->"))).contains("/: line 1, column", "expected no comment");
        assertThat(told(post(run, "<a><?b " + "x".repeat(8193) + "?></a>")))
                .contains("texts of at most 8192 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a>",
                "<a></b>",
                "{}",
                "<a b='1' b='1'/>",
                "<!DOCTYPE a><a/>",
                "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
                "<?xml version='1.1'?><a/>",
                "<a/><a/>",
                "<?xml version='1.0' encoding='koi8-r'?><a/>"
            })
    void refuses_what_is_no_xml_that_is_read(String xml) {
        assertThat(told(post(usual, xml))).startsWith("400 malformed-content");
        assertThat(usual.arrived()).isEmpty();
    }

    @Test
    void the_first_too_many_ends_the_reading() {
        for (String each : new String[] {
            "<a>".repeat(300_000),
            "<a " + "b='1' ".repeat(150_000),
            "<a>" + "x".repeat(1_000_000),
            "<a>" + "<b/>".repeat(200_000)
        }) assertThat(told(post(usual, each))).startsWith("400 content-too-complex");
    }

    @Test
    void the_type_says_what_is_read_and_xml_alone_where_there_are_bounds_of_it() {
        assertThat(usual.post("[1]").status()).isEqualTo(200);
        assertThat(told(usual.post("<a/>"))).isEqualTo("400 malformed-content");
        for (String type : new String[] {"application/xml", "Application/SOAP+XML; charset=utf-8"})
            assertThat(usual.send(Exchanges.of("POST", "/")
                                    .with("Content-Type", type)
                                    .body("<a/>"))
                            .status())
                    .isEqualTo(200);
        var json = PolicyRun.of("{\"type\": \"content-limits\"}");
        assertThat(told(post(json, "<a/>"))).isEqualTo("415 unsupported-media-type");
        var xml = PolicyRun.of("{\"type\": \"content-limits\", \"xml\": {}, \"contentTypes\": [\"text/xml\"]}");
        assertThat(told(xml.post("{}"))).isEqualTo("415 unsupported-media-type");
        assertThat(post(xml, "<a/>").status()).isEqualTo(200);
    }

    @Test
    void answers_over_a_bound_are_502() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"on\": \"response\", \"xml\": {\"depth\": 1}}");

        Response answer = run.answering(Response.of(200, "text/xml", "<a><b/></a>".getBytes(UTF_8)))
                .send(Exchanges.get("/"));

        assertThat(told(answer)).isEqualTo("502 response-refused /a: line 1, column 8: expected at most 1 levels");
    }

    @Test
    void no_bound_is_above_those_of_the_reader() {
        for (String each : new String[] {"depth\": 101", "attributes\": 65", "name\": 257", "nodes\": 100001"}) {
            assertThatExceptionOfType(InvalidConfigException.class)
                    .isThrownBy(() -> PolicyRun.of("{\"type\": \"content-limits\", \"xml\": {\"" + each + "}}"));
        }
    }

    private static Response post(PolicyRun run, String xml) {
        return run.send(
                Exchanges.of("POST", "/").with("Content-Type", "text/xml").body(xml));
    }
}
