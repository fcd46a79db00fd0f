package gateway.policies.message.xslt;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.service.ResourceReference;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class XsltTest {
    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    private static final String SHEET =
            "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' xmlns:xs='http://www.w3.org/2001/XMLSchema'"
                    + " xmlns:f='urn:f' exclude-result-prefixes='xs f' version='%s'>%s</xsl:stylesheet>";

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "2.0", "3.0"})
    void requests_are_what_a_stylesheet_of_each_version_makes_of_them(String version) {
        PolicyRun run = run(sheet(version, """
                <xsl:output omit-xml-declaration="yes"/>
                <xsl:template match="/order"><bill to="{@customer}"><xsl:apply-templates select="line">
                  <xsl:sort select="@price" data-type="number"/></xsl:apply-templates></bill></xsl:template>
                <xsl:template match="line"><p><xsl:value-of select="@price * 2"/></p></xsl:template>"""), "");

        Response answer = post(run, "<order customer='&lt;a&amp;b>'><line price='10'/><line price='9'/></order>");

        assertThat(told(answer)).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("<bill to=\"&lt;a&amp;b&gt;\"><p>18</p><p>20</p></bill>");
        assertThat(run.last().headers().all("Content-Type")).containsExactly("application/xml; charset=utf-8");
    }

    @Test
    void answers_are_changed_on_their_way_back_and_may_become_json() {
        PolicyRun run = run(sheet("3.0", """
                <xsl:output method="json"/>
                <xsl:template match="/"><xsl:map><xsl:map-entry key="'n'" select="xs:integer(/o/@n)"/></xsl:map>
                </xsl:template>"""), ", \"on\": \"response\"");
        Response upstream =
                Response.of(200, "text/xml", "<o n='7'/>".getBytes(UTF_8)).with("ETag", "\"1\"");
        run.answering(upstream);

        Response answer = run.send(Exchanges.get("/").with("Range", "bytes=0-3"));

        assertThat(PolicyRun.text(answer)).isEqualTo("{\"n\":7}");
        assertThat(answer.headers().all("Content-Type")).containsExactly("application/json; charset=utf-8");
        assertThat(answer.headers().contains("ETag")).isFalse();
        assertThat(run.last().headers().contains("Range")).isFalse();
    }

    @Test
    void html_text_and_what_the_definition_says_are_told_as_content_type() {
        String html = "<xsl:template match='/'><html><br/></html></xsl:template>";
        String text = "<xsl:output method='text' encoding='ISO-8859-1'/><xsl:template match='/'>é</xsl:template>";
        String named = "<xsl:output media-type='text/csv'/>" + text.replace("<xsl:output ", "<xsl:output ");
        String none = "<xsl:template match='/'/>";

        PolicyRun run = run(sheet("1.0", html), "");
        post(run, "<a/>");
        assertThat(run.last().headers().first("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(run.arrived()).containsIgnoringCase("<br>");
        run = run(sheet("1.0", text), "");
        post(run, "<a/>");
        assertThat(run.last().headers().first("Content-Type")).contains("text/plain; charset=iso-8859-1");
        assertThat(run.last().outgoing().body().bytes(10)).isEqualTo("é".getBytes(ISO_8859_1));
        run = run(sheet("1.0", named), "");
        post(run, "<a/>");
        assertThat(run.last().headers().first("Content-Type")).contains("text/csv; charset=iso-8859-1");
        run = run(sheet("1.0", text), ", \"output\": \"text/xml; charset=utf-8\"");
        post(run, "<a/>");
        assertThat(run.last().headers().first("Content-Type")).contains("text/xml; charset=utf-8");
        assertThat(run.last().outgoing().body().bytes(10)).isEqualTo("é".getBytes(UTF_8));
        run = run(sheet("3.0", none).replace("<xsl:template", "<xsl:output method='text'/><xsl:template"), "");
        post(run, "<a/>");
        assertThat(run.last().headers().contains("Content-Type")).isFalse();
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void parameters_are_texts_of_one_request_and_no_markup() {
        PolicyRun run = run(sheet("2.0", """
                <xsl:output omit-xml-declaration="yes"/>
                <xsl:param name="who"/><xsl:param name="n" as="xs:integer" select="1"/><xsl:param name="rest" select="'r'"/>
                <xsl:template match="/"><o who="{$who}" n="{$n + 1}" rest="{$rest}"/></xsl:template>"""), ", \"parameters\": {\"who\": \"{request.query.who}!\", \"n\": \"41\"}");

        run.send(Exchanges.of("POST", "/?who=%3Ca%3E%22%00%F0%9F%98%80")
                .with("Content-Type", "text/xml")
                .body("<a/>"));
        assertThat(run.arrived()).isEqualTo("<o who=\"&lt;a&gt;&#34;\uFFFD😀!\" n=\"42\" rest=\"r\"/>");
        post(run, "<a/>");
        assertThat(run.arrived()).isEqualTo("<o who=\"!\" n=\"42\" rest=\"r\"/>");
    }

    @Test
    void imports_come_from_named_documents_alone() {
        var services = new FakeServices();
        services.putResource("common.xsl", sheet("1.0", "<xsl:template match='b'>b</xsl:template>"));
        services.putResource("order.xsl", sheet("1.0", """
                <xsl:import href="http://10.0.0.1/lib/common.xsl"/>
                <xsl:output method="text"/>
                <xsl:template match="a">a<xsl:apply-templates/></xsl:template>"""));
        PolicyRun run = PolicyRun.of(
                "{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"order.xsl\"},"
                        + " \"imports\": [{\"resource\": \"common.xsl\"}]}",
                services);
        post(run, "<a><b/></a>");
        assertThat(run.arrived()).isEqualTo("ab");

        assertThatThrownBy(() ->
                        PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"order.xsl\"}}", services))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/stylesheet")
                .hasMessageContaining("none of the stylesheets that imports names");
        services.putResource("common.xsl", sheet("1.0", "\n<xsl:template match='b['>b</xsl:template>"));
        assertThatThrownBy(() -> PolicyRun.of(
                        "{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"order.xsl\"},"
                                + " \"imports\": [{\"resource\": \"common.xsl\"}]}",
                        services))
                .hasMessageContaining("/policies/0/imports/0")
                .hasMessageContaining("\"common.xsl\" line 2: ");
    }

    @Test
    void what_cannot_be_compiled_is_refused_with_its_line() {
        assertThatThrownBy(() ->
                        run(sheet("2.0", "\n<xsl:template match='/'><xsl:value-of select='1 +'/></xsl:template>"), ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/stylesheet: \"s.xsl\" line 2: ")
                .hasMessageContaining("XPST0003");
        assertThatThrownBy(() -> run("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a/>", ""))
                .hasMessageContaining("/policies/0/stylesheet: \"s.xsl\"")
                .hasMessageContaining("DOCTYPE")
                .hasMessageNotContaining("BadXmlException");
        assertThatThrownBy(() ->
                        run(sheet("3.0", "\n<xsl:template match='/'><xsl:evaluate xpath='1'/></xsl:template>"), ""))
                .hasMessageContaining("/policies/0/stylesheet: \"s.xsl\" line 2: xsl:evaluate is not taken");
        assertThatThrownBy(() -> run("no XML", ""))
                .hasMessageContaining("/policies/0/stylesheet")
                .hasMessageNotContaining("BadXmlException");
        assertThatThrownBy(() -> run(sheet("1.0", "<xsl:param name='a'/>"), ", \"parameters\": {\"b\": \"1\"}"))
                .hasMessageContaining("/policies/0/parameters: the stylesheet has no parameter \"b\"");
        assertThatThrownBy(() -> run(sheet("2.0", "<xsl:param name='a' required='yes'/>"), ""))
                .hasMessageContaining("/policies/0/parameters: expected a value for \"a\"");
    }

    @Test
    void its_messages_end_a_request_with_422_and_an_answer_with_502() {
        String sheet = sheet("1.0", """
                <xsl:template match="/"><xsl:message>noted</xsl:message>
                <xsl:if test="/o/@bad"><xsl:message terminate="yes">no customer</xsl:message></xsl:if><ok/>
                </xsl:template>""");
        PolicyRun run = run(sheet, ", \"on\": \"both\"");

        Response refused = post(run, "<o bad='1'/>");
        assertThat(told(refused)).isEqualTo("422 invalid-content");
        assertThat(PolicyRun.text(refused)).contains("no customer");
        assertThat(run.arrived()).isEmpty();
        run.answering(Response.of(200, "application/xml", "<o bad='1'/>".getBytes(UTF_8)));
        assertThat(told(post(run, "<o/>"))).isEqualTo("502 response-refused");
        assertThat(run.arrived()).contains("<ok/>");
    }

    @Test
    void a_stylesheet_that_fails_is_500_and_tells_no_value() {
        PolicyRun run = run(sheet("2.0", "\n<xsl:template match='/'><a b='{xs:integer(/o)}'/></xsl:template>"), "");

        Response answer = post(run, "<o>s3cret</o>");

        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).contains("FORG0001 at line 2").doesNotContain("s3cret");
    }

    @Test
    void what_is_no_xml_is_refused_and_other_content_passes() {
        PolicyRun run = run(sheet("1.0", "<xsl:template match='/'><a/></xsl:template>"), "");

        assertThat(told(post(run, "<a>"))).isEqualTo("400 malformed-content");
        assertThat(told(post(run, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>")))
                .isEqualTo("400 malformed-content");
        assertThat(told(post(run, "<a>".repeat(101) + "</a>".repeat(101)))).isEqualTo("400 content-too-complex");
        assertThat(told(post(run, "<?xml-stylesheet href='http://10.0.0.1/x.xsl'?><a/>")))
                .isEqualTo("400 malformed-content");
        assertThat(told(run.post("{}"))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("{}");
        assertThat(told(post(run, ""))).isEqualTo("200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<xsl:template match='/' name='t'><xsl:call-template name='t'/></xsl:template>",
                "<xsl:function name='f:f'><xsl:param name='n'/><xsl:sequence select='f:f($n + 1)'/></xsl:function>"
                        + "<xsl:template match='/'><xsl:value-of select='f:f(1)'/></xsl:template>",
                "<xsl:template match='/'><xsl:for-each select='1 to 2000000000'><xsl:if test='. = -1'>x</xsl:if>"
                        + "</xsl:for-each></xsl:template>",
                "<xsl:template match='/'><xsl:value-of select='count((1 to 2000000000)[. mod 7 = 3])'/></xsl:template>",
                "<xsl:template match='/'><xsl:iterate select='1 to 2000000000'><xsl:param name='n' select='0'/>"
                        + "<xsl:next-iteration><xsl:with-param name='n' select='$n + .'/></xsl:next-iteration>"
                        + "</xsl:iterate></xsl:template>",
                "<xsl:template match='/'><xsl:for-each select='1 to 2000000000'><xsl:try><xsl:sequence"
                        + " select='f:f(.)'/><xsl:catch/></xsl:try></xsl:for-each></xsl:template><xsl:function"
                        + " name='f:f'><xsl:param name='n'/><xsl:sequence select='()'/></xsl:function>"
            })
    void what_never_ends_ends_with_its_time(String never) {
        PolicyRun run = run(sheet("3.0", never), ", \"timeout\": \"100ms\", \"memory\": \"1GiB\"");

        Response answer = post(run, "<a/>");

        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).contains("it took longer than 100 ms");
    }

    @Test
    void calls_at_the_end_of_a_body_need_no_stack_and_others_end_with_it() {
        String loop = """
                <xsl:output method="text"/>
                <xsl:function name="f:f" as="xs:integer"><xsl:param name="n" as="xs:integer"/>
                  <xsl:sequence select="if ($n = 0) then 42 else f:f($n - 1)"/></xsl:function>
                <xsl:template name="t"><xsl:param name="n"/><xsl:choose><xsl:when test="$n = 0">!</xsl:when>
                  <xsl:otherwise><xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/>
                  </xsl:call-template></xsl:otherwise></xsl:choose></xsl:template>
                <xsl:template match="/"><xsl:value-of select="f:f(200000)"/><xsl:call-template name="t">
                  <xsl:with-param name="n" select="200000"/></xsl:call-template></xsl:template>""";
        PolicyRun run = run(sheet("2.0", loop), "");
        assertThat(told(post(run, "<a/>"))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("42!");

        PolicyRun deep = run(sheet("2.0", loop.replace("else f:f($n - 1)", "else 1 + f:f($n - 1)")), "");
        assertThat(told(post(deep, "<a/>"))).isEqualTo("500 policy-failed");
        assertThat(told(post(run, "<a/>"))).isEqualTo("200");
    }

    @Test
    void failures_write_nothing_to_the_streams_of_the_process() {
        String sheet = sheet("2.0", """
                <xsl:output method="text"/>
                <xsl:function name="f:f"><xsl:param name="n"/><xsl:sequence select="f:f($n + 1)"/></xsl:function>
                <xsl:function name="f:deep"><xsl:param name="n"/><xsl:sequence select="1 + f:deep($n)"/></xsl:function>
                <xsl:function name="f:much"><xsl:param name="n"/><xsl:for-each select="1 to 10000">0123456789</xsl:for-each>
                </xsl:function>
                <xsl:function name="f:bad"><xsl:param name="n"/><xsl:sequence select="1 div xs:integer($n)"/></xsl:function>
                <xsl:template match="never"><xsl:value-of select="f:f(1)"/></xsl:template>
                <xsl:template match="deep"><xsl:value-of select="f:deep(1)"/></xsl:template>
                <xsl:template match="much"><xsl:sequence select="f:much(1)"/></xsl:template>
                <xsl:template match="bad"><xsl:value-of select="f:bad(.)"/><xsl:value-of select="trace(.)"/></xsl:template>""");
        PolicyRun run = run(sheet, ", \"timeout\": \"100ms\", \"maxOutput\": 1024");
        var written = new ByteArrayOutputStream();
        PrintStream error = System.err;
        System.setErr(new PrintStream(written, true, UTF_8));
        try {
            for (String each :
                    List.of("<never/>", "<deep/>", "<much/>", "<bad>x</bad>", "<bad>0</bad>", "<!D", "<a>")) {
                assertThat(post(run, each).status()).as(each).isIn(400, 500);
            }
            assertThat(post(run, "<bad>1</bad>").status()).isEqualTo(200);
        } finally {
            System.setErr(error);
        }

        assertThat(written.toString(UTF_8)).isEmpty();
    }

    @Test
    void a_match_that_goes_back_and_forth_ends() {
        PolicyRun run = run(
                sheet(
                        "2.0",
                        "<xsl:template match='/'><xsl:value-of select=\"matches(/a, '^(a+)+$')\"/></xsl:template>"),
                "");

        assertThat(told(post(run, "<a>" + "a".repeat(5_000) + "!</a>"))).isIn("200", "500 policy-failed");
    }

    @Test
    void results_are_bounded() {
        String many = "<xsl:output method='text'/><xsl:template match='/'><xsl:for-each select='1 to 1000'>"
                + "0123456789</xsl:for-each></xsl:template>";

        assertThat(told(post(run(sheet("2.0", many), ", \"maxOutput\": 10000"), "<a/>")))
                .isEqualTo("200");
        Response answer = post(run(sheet("2.0", many), ", \"maxOutput\": 9999"), "<a/>");
        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).contains("larger than 9999 bytes");
    }

    @Test
    void names_of_messages_do_not_fill_the_memory() {
        var services = new FakeServices();
        services.putResource(
                "s.xsl",
                sheet("1.0", "<xsl:template match='/'><n><xsl:value-of select='count(//*)'/></n>" + "</xsl:template>"));
        Stylesheet stylesheet = new StylesheetSources(new ResourceReference("s.xsl"), List.of()).stylesheet(services);
        CompiledStylesheet first = stylesheet.compiled();
        for (int i = 0; i < 100_000; i++) first.names().allocateClarkName("n" + i);

        assertThat(first.isWorn()).isTrue();
        assertThat(stylesheet.compiled()).isNotSameAs(first).isSameAs(stylesheet.compiled());
        assertThat(stylesheet.compiled().isWorn()).isFalse();
    }

    private static String sheet(String version, String content) {
        return SHEET.formatted(version, content);
    }

    private static PolicyRun run(String sheet, String more) {
        var services = new FakeServices();
        services.putResource("s.xsl", sheet);
        return PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}" + more + "}", services);
    }

    private static Response post(PolicyRun run, String xml) {
        return run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/xml")
                .body(xml));
    }
}
