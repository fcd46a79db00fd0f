package gateway.policies.message.xslt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.http.Exchanges;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.xml.Xml;
import gateway.xml.XmlText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same documents as xsltproc (libxslt) makes, by stylesheets of version 1.0.
final class XsltprocResultsTest {
    private static final String ORDERS = """
            <o:orders xmlns:o="urn:o" xmlns:x="urn:x">
              <!-- two of them --><?keep this?>
              <o:order id="7" day="2026-01-31"><line sku="B" price="10.5" n="2">two &amp; &lt;more&gt;</line>
                <line sku="A" price="9" n="1"><![CDATA[<a> & b]]></line><x:note xml:lang="de">Grüße 😀</x:note></o:order>
              <o:order id="12" day="2026-02-01"><line sku="A" price="0.25" n="8"/><line sku="C" price="3" n="0"/></o:order>
              <o:order id="3" day="2026-01-31"/>
            </o:orders>""";

    private static final List<String> STYLESHEETS = List.of("""
            <xsl:template match="@*|node()"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy></xsl:template>
            <xsl:template match="@price"><xsl:attribute name="price">*</xsl:attribute></xsl:template>
            <xsl:template match="x:note"/>""", """
            <xsl:key name="sku" match="line" use="@sku"/>
            <xsl:template match="/"><bySku><xsl:for-each select="//line[generate-id() = generate-id(key('sku', @sku)[1])]">
              <xsl:sort select="@sku" order="descending"/><sku name="{@sku}" n="{sum(key('sku', @sku)/@n)}">
              <xsl:for-each select="key('sku', @sku)"><in><xsl:value-of select="../@id"/></in></xsl:for-each></sku>
              </xsl:for-each></bySku></xsl:template>""", """
            <xsl:strip-space elements="*"/><xsl:decimal-format decimal-separator="," grouping-separator="."/>
            <xsl:variable name="total"><xsl:call-template name="sum"><xsl:with-param name="of" select="//line"/>
              </xsl:call-template></xsl:variable>
            <xsl:template name="sum"><xsl:param name="of"/><xsl:choose><xsl:when test="$of">
              <xsl:variable name="rest"><xsl:call-template name="sum"><xsl:with-param name="of"
                select="$of[position() &gt; 1]"/></xsl:call-template></xsl:variable>
              <xsl:value-of select="$of[1]/@price * $of[1]/@n + $rest"/></xsl:when><xsl:otherwise>0</xsl:otherwise>
              </xsl:choose></xsl:template>
            <xsl:template match="/"><t raw="{$total}" de="{format-number(12345.678, '#.##0,00')}"
              r="{round(2.5)} {floor(-0.5)} {1 div 3 &gt; 0.33} {number('x')}"
              s="{substring-before('a=b', '=')} {translate('abc', 'ab', 'A')} {normalize-space('  a   b ')}"
              c="{concat(count(//@*), '-', string-length(//x:note), '-', position(), '/', last())}"/></xsl:template>""", """
            <xsl:template match="/"><xsl:apply-templates select="o:orders" mode="list"/></xsl:template>
            <xsl:template match="o:orders" mode="list"><ul><xsl:apply-templates select="o:order[line]" mode="list">
              <xsl:sort select="@id" data-type="number"/></xsl:apply-templates></ul></xsl:template>
            <xsl:template match="o:order" mode="list" priority="2"><li><xsl:number value="position()" format="i"/>.
              <xsl:number level="single" count="o:order"/><xsl:apply-imports/><xsl:text> </xsl:text>
              <xsl:value-of select="following-sibling::*[1]/@id"/></li></xsl:template>""", """
            <xsl:template match="/"><xsl:element name="{local-name(*)}" namespace="urn:new">
              <xsl:attribute name="y:when" namespace="urn:y"><xsl:value-of select="//@day"/></xsl:attribute>
              <xsl:copy-of select="//x:note"/><xsl:comment>a comment</xsl:comment>
              <xsl:processing-instruction name="do">it</xsl:processing-instruction>
              <xsl:for-each select="//comment() | //processing-instruction()"><c n="{name()}"><xsl:value-of select="."/></c>
              </xsl:for-each></xsl:element></xsl:template>""", """
            <xsl:param name="who" select="'nobody'"/>
            <xsl:template match="/"><w for="{$who}"><xsl:if test="function-available('format-number')">f</xsl:if>
              <xsl:value-of select="//line[last()]"/><xsl:value-of select="//line[@price &gt; 5][1]/@sku"/>
              <xsl:value-of select="boolean(//line/@n = 8)"/><xsl:value-of select="name(//*[@xml:lang])"/></w></xsl:template>""");

    @TempDir
    private Path folder;

    @Test
    void each_stylesheet_makes_the_same_document_in_both() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/xsltproc")), "xsltproc is not installed");
        Files.writeString(folder.resolve("orders.xml"), ORDERS);
        for (String each : STYLESHEETS) {
            String sheet = "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='1.0'"
                    + " xmlns:o='urn:o' xmlns:x='urn:x' exclude-result-prefixes='o x'>" + each + "</xsl:stylesheet>";

            byte[] ours = ours(sheet);

            assertThat(plain(ours)).as(each).isEqualTo(plain(theirs(sheet)));
        }
    }

    private static String plain(byte[] xml) throws Exception {
        return new String(XmlText.of(Xml.document(xml)), UTF_8);
    }

    private static byte[] ours(String sheet) {
        var services = new FakeServices();
        services.putResource("s.xsl", sheet);
        PolicyRun run = PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}}", services);
        run.send(Exchanges.of("POST", "/").with("Content-Type", "text/xml").body(ORDERS));
        return run.last().outgoing().body().bytes(1 << 20);
    }

    private byte[] theirs(String sheet) throws Exception {
        Path file = Files.writeString(folder.resolve("s.xsl"), sheet);
        Path result = folder.resolve("result.xml");
        Process xsltproc = new ProcessBuilder(
                        "xsltproc",
                        "--nonet",
                        "-o",
                        result.toString(),
                        file.toString(),
                        folder.resolve("orders.xml").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(xsltproc.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(xsltproc.exitValue())
                .as(Files.readString(folder.resolve("log")))
                .isZero();
        return Files.readAllBytes(result);
    }
}
