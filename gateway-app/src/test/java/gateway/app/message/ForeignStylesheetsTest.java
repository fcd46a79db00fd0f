package gateway.app.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same results as SaxonC's, byte for byte, by stylesheets of version 3.0: that what closes the engine here changes
/// nothing of what it makes.
@Tag("proofs")
@Timeout(400)
final class ForeignStylesheetsTest {
    private static final String DOCUMENT = """
            <orders><order id="7" day="2026-01-31"><line sku="B" price="10.5" n="2">two &amp; &lt;more></line>
              <line sku="A" price="9" n="1"/></order><order id="12" day="2026-02-01"><line sku="A" price="0.25" n="8"/></order>
              <text>the quick brown fox, the lazy dog</text><json>{"a": [1, 2.50, null, {"b": "é\\u0041"}]}</json></orders>""";

    private static final List<String> STYLESHEETS = List.of("""
            <xsl:mode on-no-match="shallow-copy"/>
            <xsl:template match="line[@n = 1]"/>
            <xsl:template match="@price"><xsl:attribute name="price" select="format-number(., '0.00')"/></xsl:template>""", """
            <xsl:template match="/"><days><xsl:for-each-group select="//line" group-by="@sku">
              <xsl:sort select="current-grouping-key()"/><sku name="{current-grouping-key()}"
              n="{sum(current-group()/@n)}" first="{format-date(xs:date(current-group()[1]/../@day), '[D1]. [MNn] [Y]')}"/>
              </xsl:for-each-group></days></xsl:template>""", """
            <xsl:function name="f:power" as="xs:integer"><xsl:param name="n" as="xs:integer"/>
              <xsl:param name="m" as="xs:integer"/>
              <xsl:sequence select="if ($m = 0) then 1 else $n * f:power($n, $m - 1)"/></xsl:function>
            <xsl:template match="/"><p big="{f:power(7, 40)}" fold="{fold-left(1 to 10, 0, function($a, $b) {$a + $b})}">
              <xsl:iterate select="//line"><xsl:param name="sum" select="0"/><xsl:on-completion><s><xsl:value-of
              select="$sum"/></s></xsl:on-completion><xsl:next-iteration><xsl:with-param name="sum"
              select="$sum + @price * @n"/></xsl:next-iteration></xsl:iterate></p></xsl:template>""", """
            <xsl:output method="json" indent="no"/>
            <xsl:template match="/"><xsl:sequence select="map:merge((parse-json(//json), map {'n': count(//line)}))"/>
              </xsl:template>""", """
            <xsl:output method="text"/>
            <xsl:template match="/"><xsl:analyze-string select="//text" regex="(\\w)(\\w*)"><xsl:matching-substring>
              <xsl:value-of select="upper-case(regex-group(1)) || regex-group(2)"/></xsl:matching-substring>
              <xsl:non-matching-substring><xsl:value-of select="."/></xsl:non-matching-substring></xsl:analyze-string>
              <xsl:value-of select="json-to-xml(//json)//*:string, tokenize(//text, ',\\s*')" separator=" | "/></xsl:template>""", """
            <xsl:key name="sku" match="line" use="@sku"/><xsl:accumulator name="n" initial-value="0">
              <xsl:accumulator-rule match="line" select="$value + @n"/></xsl:accumulator><xsl:mode use-accumulators="n"/>
            <xsl:template match="/"><xsl:try><xsl:sequence select="1 div 0"/><xsl:catch errors="err:FOAR0001">
              <caught a="{accumulator-after('n')}" k="{key('sku', 'A')/@n}"/></xsl:catch></xsl:try></xsl:template>""");

    @TempDir
    private Path data;

    @Test
    void each_stylesheet_makes_the_same_bytes_in_both() throws Exception {
        Path python = ForeignTools.python("saxonche==13.1.1");
        Path program = data.resolve("transform.py");
        try (var content = ForeignStylesheetsTest.class.getResourceAsStream("/xslt/transform.py")) {
            Files.write(program, content.readAllBytes());
        }
        Path document = Files.writeString(data.resolve("document.xml"), DOCUMENT);
        for (int i = 0; i < STYLESHEETS.size(); i++) {
            String sheet = "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='3.0'"
                    + " xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:f='urn:f' exclude-result-prefixes='#all'"
                    + " xmlns:map='http://www.w3.org/2005/xpath-functions/map'"
                    + " xmlns:err='http://www.w3.org/2005/xqt-errors'>" + STYLESHEETS.get(i) + "</xsl:stylesheet>";
            Path gateways = Files.createDirectories(data.resolve("gateway-" + i + "/resources"));
            Path stylesheet = Files.writeString(gateways.resolve("s.xsl"), sheet);
            Path result = data.resolve("result-" + i);
            Process saxon = new ProcessBuilder(
                            python.toString(),
                            program.toString(),
                            document.toString(),
                            result.toString(),
                            stylesheet.toString())
                    .inheritIO()
                    .start();
            assertThat(saxon.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(saxon.exitValue()).isZero();

            try (MessageGateway gateway = MessageGateway.start(
                    gateways.getParent(), "{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}}")) {
                gateway.post("Content-Type: text/xml", DOCUMENT.getBytes(UTF_8));

                assertThat(gateway.arrived())
                        .as(sheet)
                        .containsExactly(new String(Files.readAllBytes(result), ISO_8859_1));
            }
        }
    }
}
