package gateway.policies.message.xslt;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.service.ResourceReference;
import gateway.xml.Xml;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sf.saxon.trans.UncheckedXPathException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What messages and stylesheets may take of what Saxon itself does not bound.
final class StylesheetLimitsTest {
    @Test
    void a_message_has_few_and_short_namespaces() {
        PolicyRun run = run(sheet("""
                <xsl:output omit-xml-declaration="yes"/>
                <xsl:template match="/"><n><xsl:value-of select="count(//*), count(parse-xml(/*/@x)//*)"/></n>
                </xsl:template>"""), "");
        String inner = " x='&lt;o xmlns=\"urn:inner\"/&gt;'";

        assertThat(told(post(run, "<a" + inner + ">" + namespaces("urn:few", 0, 62) + "</a>")))
                .isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("<n>63 1</n>");
        Response many = post(run, "<a" + inner + ">" + namespaces("urn:few", 0, 64) + "</a>");
        assertThat(told(many)).isEqualTo("400 content-too-complex");
        assertThat(PolicyRun.text(many)).contains("more than 64 namespaces");
        assertThat(told(post(run, "<a>" + namespaces("urn:many", 0, 30_000) + "</a>")))
                .isEqualTo("400 content-too-complex");
        assertThat(told(post(run, "<a xmlns='urn:" + "x".repeat(509) + "'/>"))).isEqualTo("400 content-too-complex");
    }

    @Test
    void namespaces_of_messages_are_forgotten_and_those_of_stylesheets_stay() {
        PolicyRun run = run(sheet("""
                <xsl:output omit-xml-declaration="yes"/>
                <xsl:template match="/"><n xmlns:k="urn:kept"><xsl:value-of select="count(//k:b),
                count(//Q{urn:braced}b), count(//*[node-name() = node-name(/*/*[1])])"/></n></xsl:template>"""), "");
        int before = EngineNamespaces.ALL.size();
        for (int i = 0; i < 20_000; i += 50) {
            String xml =
                    "<a>" + namespaces("urn:gone:", i, i + 50) + "<b xmlns='urn:kept'/><b xmlns=' urn:braced '/></a>";
            assertThat(told(post(run, xml))).isEqualTo("200");
            assertThat(run.arrived()).isEqualTo("<n xmlns:k=\"urn:kept\">1 1 1</n>");
        }

        assertThat(EngineNamespaces.ALL.size() - before).isLessThan(3_000);
    }

    @Test
    void a_stylesheet_that_has_met_many_namespaces_is_compiled_anew() {
        var services = new FakeServices();
        services.putResource("s.xsl", sheet("<xsl:template match='/'><n/></xsl:template>"));
        Stylesheet stylesheet = new StylesheetSources(new ResourceReference("s.xsl"), List.of()).stylesheet(services);
        CompiledStylesheet first = stylesheet.compiled();
        for (int i = 0; i <= 10_000; i++) {
            EngineNamespaces.ALL.enter("urn:new:" + i).orElseThrow().leave();
        }

        assertThat(first.isWorn()).isTrue();
        assertThat(stylesheet.compiled()).isNotSameAs(first);
        assertThat(stylesheet.compiled().isWorn()).isFalse();
    }

    private static String namespaces(String begin, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "<b xmlns='" + begin + i + "'/>")
                .collect(Collectors.joining());
    }

    /// Ever more prefixes, of which the engine goes over all for each element.
    @Test
    void reading_a_message_ends_with_its_time() throws Exception {
        var ticks = new AtomicLong();
        var time = new TransformBudget(Duration.ofNanos(100), ticks::incrementAndGet, 1, () -> 0);
        String xml = IntStream.range(0, 20_000)
                .mapToObj(i -> "<b xmlns:p" + i + "='urn:p'/>")
                .collect(Collectors.joining("", "<a>", "</a>"));

        try (var namespaces = new MessageNamespaces()) {
            var gate = new MessageGate(Xml.reader(), namespaces, time);
            assertThatThrownBy(() -> gate.parse(Xml.source(xml.getBytes(UTF_8))))
                    .isInstanceOf(UncheckedXPathException.class);
        }
        assertThat(time.spent()).isEqualTo(TransformBudget.Spent.TIME);
        PolicyRun run = run(sheet("<xsl:template match='/'><n/></xsl:template>"), ", \"timeout\": \"10ms\"");
        assertThat(PolicyRun.text(post(run, xml))).contains("it took longer than 10 ms");
    }

    /// A number of a million digits is calculated with in one step of half a minute.
    @Test
    @Timeout(20)
    void a_message_has_no_long_numbers() {
        PolicyRun run = run(
                sheet("<xsl:output omit-xml-declaration='yes'/>"
                        + "<xsl:template match='/'><n><xsl:value-of select='xs:decimal(/*/price) * 2 &gt; 0'/></n>"
                        + "</xsl:template>"),
                "");
        String most = "1".repeat(1_000);

        for (String xml : List.of(
                "<a b='" + most + "'><price>" + most + "." + most + "</price></a>",
                "<a><price>1</price>" + ("<b>" + most + "</b>").repeat(10) + "</a>")) {
            assertThat(told(post(run, xml))).isEqualTo("200");
            assertThat(run.arrived()).isEqualTo("<n>true</n>");
        }
        for (String xml : List.of(
                "<a><price>" + "9".repeat(500_000) + "</price></a>",
                "<a><price>" + most + "<!-- -->1</price></a>",
                "<a><price>" + most + "<?p q?><![CDATA[1]]></price></a>",
                "<a b='" + most + "1'><price>1</price></a>",
                "<a><price>" + ("<b>" + most + "</b>").repeat(101) + "</price></a>",
                "<a><price>" + "\u0661".repeat(1_001) + "</price></a>")) {
            Response answer = post(run, xml);
            assertThat(told(answer)).isEqualTo("400 content-too-complex");
            assertThat(PolicyRun.text(answer)).contains("digits in a row");
        }
    }

    /// Texts that double, sequences that grow: each would take more than this process has.
    @ParameterizedTest
    @Timeout(60)
    @ValueSource(strings = {"""
                <xsl:template match="/"><xsl:call-template name="twice"><xsl:with-param name="t" select="'x'"/>
                </xsl:call-template></xsl:template>
                <xsl:template name="twice"><xsl:param name="t"/><xsl:call-template name="twice">
                <xsl:with-param name="t" select="translate(concat($t, $t), 'x', 'x')"/></xsl:call-template>
                </xsl:template>""", """
                <xsl:template match="/"><n><xsl:variable name="all" as="xs:string*"><xsl:for-each select="1 to 100000000">
                <xsl:sequence select="concat('text of some length ', .)"/></xsl:for-each></xsl:variable>
                <xsl:value-of select="count($all), $all[last()]"/></n></xsl:template>""", """
                <xsl:template match="/"><xsl:variable name="tree"><xsl:for-each select="1 to 100000000"><n a="{.}"/>
                </xsl:for-each></xsl:variable><n><xsl:value-of select="count($tree//n), $tree/n[last()]/@a"/></n>
                </xsl:template>"""})
    void a_transformation_ends_with_its_memory(String templates) {
        PolicyRun run = run(sheet(templates), ", \"memory\": \"16MiB\", \"timeout\": \"30s\"");

        Response answer = post(run, "<a/>");

        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).contains("it takes more than 16777216 bytes of memory");
        assertThat(run.arrived()).isEmpty();
    }

    /// Of many nodes of the caller's: each with each, in one expression.
    @ParameterizedTest
    @Timeout(60)
    @ValueSource(
            strings = {
                "//a = //b",
                "//a[. = //b][1]",
                "count(//a/../a)",
                "count(//a/following-sibling::a)",
                "count(//a/following::b)",
                "string-length(string-join(for $x in //a return string-join(//a)))",
                "string-length(string-join(//a/string-join(//b)))",
                "every $x in //a satisfies not($x = //b)"
            })
    void one_expression_over_many_nodes_ends_with_its_time_or_memory(String expression) {
        String sheet = sheet(
                "<xsl:output omit-xml-declaration='yes'/><xsl:template match='/'><n><xsl:value-of select=\"EXPRESSION\"/></n></xsl:template>"
                        .replace("EXPRESSION", expression));
        PolicyRun run = run(sheet, ", \"timeout\": \"300ms\", \"memory\": \"64MiB\"");
        String nodes = IntStream.range(0, 24_000)
                .mapToObj(i -> "<a>k" + i + "</a><b>x" + i + "</b>")
                .collect(Collectors.joining("", "<r>", "</r>"));
        long begin = System.nanoTime();

        Response answer = post(run, nodes);

        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).containsPattern("it took longer than 300 ms|it takes more than 67108864");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
    }

    /// Of long texts of the caller's, one expression at a time.
    @ParameterizedTest
    @Timeout(20)
    @ValueSource(
            strings = {
                "contains(/r/a, /r/b)",
                "substring-before(/r/a, /r/b)",
                "substring-after(/r/a, /r/b)",
                "contains(/r/a, /r/b, 'http://www.w3.org/2005/xpath-functions/collation/codepoint')",
                "replace(/r/a, '(a*)*b', 'x')",
                "replace(/r/a, 'a+$', '')",
                "matches(/r/a, '^(a+)+$')",
                "matches(/r/a, '(a|aa)+c')",
                "matches(/r/a, concat('(a|aa)+', /r/c))",
                "count(tokenize(/r/a, 'a*b'))",
                "analyze-string(/r/a, '(a*)*b')",
                "translate(/r/a, /r/b, /r/b)",
                "contains-token(/r/a, /r/b)",
                "starts-with(/r/a, /r/b)",
                "ends-with(/r/a, /r/b)"
            })
    void one_expression_takes_little_longer_than_its_time(String expression) {
        String sheet = sheet(
                "<xsl:output omit-xml-declaration='yes'/><xsl:template match='/'><n><xsl:value-of select=\"EXPRESSION\"/></n></xsl:template>"
                        .replace("EXPRESSION", expression));
        PolicyRun run = run(sheet, ", \"timeout\": \"300ms\", \"memory\": \"1GiB\"");
        String a = "a".repeat(300_000);
        long begin = System.nanoTime();

        Response answer = post(run, "<r><a>" + a + "x</a><b>" + a.substring(150_000) + "b</b><c>c</c></r>");

        assertThat(answer.status()).isIn(200, 500);
        if (answer.status() == 500) assertThat(PolicyRun.text(answer)).contains("it took longer than 300 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            contains(/r/a, /r/b)                                | true
            contains(/r/b, /r/a)                                | false
            string-length(substring-before(/r/a, /r/b))         | 101
            substring-after(/r/a, /r/b)                         | yz
            replace(/r/c, '(o)(n)', '$2$1')                     | no two tno
            replace(/r/c, 'q', 'x')                             | on two ton
            tokenize(/r/c, ' ')                                 | on two ton
            matches(/r/c, 't.o')                                | true
            analyze-string(/r/c, 'o')/*:match[2]/preceding::*[1]| n tw
            contains(/r/c, '')                                  | true
            substring-after(/r/c, '')                           | on two ton
            """)
    void finds_in_texts_what_is_there(String expression, String found) {
        String sheet = sheet(
                "<xsl:output method='text'/><xsl:template match='/'><xsl:value-of select=\"EXPRESSION\"/></xsl:template>"
                        .replace("EXPRESSION", expression));
        String b = "ab".repeat(50) + "😀" + "c".repeat(20);

        PolicyRun run = run(sheet, "");
        post(run, "<r><a>" + "ab".repeat(50) + "-" + b + "yz</a><b>" + b + "</b><c>on two ton</c></r>");

        assertThat(run.arrived()).isEqualTo(found);
    }

    @Test
    void what_runs_while_a_stylesheet_is_compiled_has_a_clock() {
        for (String each : List.of(
                "<xsl:variable name='n' static='yes' select='count((1 to 2000000000)[. mod 7 = 3])'/>",
                "<xsl:template match='/' use-when='count((1 to 2000000000)[. mod 7 = 3]) = 1'/>")) {
            var ticks = new AtomicLong();
            var document = new StylesheetDocument(
                    "/stylesheet", "s.xsl", "", sheet(each).getBytes(UTF_8));
            var time = new TransformBudget(Duration.ofNanos(100), ticks::incrementAndGet, 1, () -> 0);
            assertThatThrownBy(() -> CompiledStylesheet.of(new StylesheetDocuments(List.of(document)), time))
                    .as(each)
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("no time is left");
        }
    }

    private static String sheet(String content) {
        return "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='3.0'"
                + " xmlns:xs='http://www.w3.org/2001/XMLSchema' exclude-result-prefixes='xs'>" + content
                + "</xsl:stylesheet>";
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
