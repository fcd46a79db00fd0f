package gateway.app.message;

import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// XML between a client and an upstream over sockets, transformed on its way: attacks 24, 34 and 35 among others.
@Timeout(120)
final class GatewayXsltTest {
    private static final String XSL = "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'";
    private static final String SHEET = "<xsl:stylesheet " + XSL + " version='1.0'>" + """
            <xsl:output omit-xml-declaration="yes"/><xsl:param name="path"/>
              <xsl:template match="/order"><bill of="{$path}"><xsl:for-each select="line">
                <xsl:sort select="." data-type="number"/><l><xsl:value-of select="."/></l></xsl:for-each></bill>
              </xsl:template></xsl:stylesheet>""";

    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    private static final String POLICY = """
            {"type": "xslt", "stylesheet": {"resource": "s.xsl"}, "on": "both"%s}""";

    private static final String PATH = ", \"parameters\": {\"path\": \"{request.path}\"}";
    private static final String BILL = "<bill of=\"/items\"><l>é</l><l>9</l><l>10</l></bill>";

    @TempDir
    private Path data;

    @Test
    void requests_and_answers_in_each_coding_and_encoding_arrive_transformed() throws IOException {
        try (MessageGateway gateway = start(SHEET, PATH)) {
            gateway.answers("Content-Type: text/xml\nContent-Encoding: gzip\nETag: \"1\"", gzip(order(UTF_8)));
            for (Charset each : List.of(UTF_8, ISO_8859_1, UTF_16)) {
                String type = "Content-Type: text/xml; charset=" + each.name();

                String plain = gateway.post(type, order(each));
                gateway.post(type + "\nContent-Encoding: gzip", gzip(order(each)));

                assertThat(MessageGateway.status(plain)).isEqualTo(200);
                assertThat(plain)
                        .containsIgnoringCase("Content-Type: application/xml; charset=utf-8")
                        .endsWith(bytes(BILL))
                        .doesNotContain("ETag", "Content-Encoding");
                assertThat(gateway.arrived()).containsExactly(bytes(BILL), bytes(BILL));
            }
        }
    }

    @Test
    void what_two_readers_would_read_as_two_documents_reaches_nobody() throws IOException {
        try (MessageGateway gateway = start(SHEET, PATH)) {
            byte[] overlong = "<order><line>\u00c0\u00bcx/></line></order>".getBytes(ISO_8859_1);
            assertRefused(gateway, "Content-Type: text/xml; charset=utf-8", overlong);
            assertRefused(gateway, "Content-Type: text/xml; charset=utf-7", "+ADw-order/+AD4-".getBytes(UTF_8));
            assertRefused(
                    gateway,
                    "Content-Type: text/xml; charset=utf-8",
                    "<?xml version='1.0' encoding='iso-8859-1'?><order/>".getBytes(UTF_8));
            assertRefused(gateway, "Content-Type: text/xml", "<order>\uFEFF</order>\uFEFF<order/>".getBytes(UTF_8));
            assertRefused(gateway, "Content-Type: text/xml", "<order/>\0".getBytes(UTF_8));
        }
    }

    @Test
    void no_document_makes_the_gateway_call_anybody_or_count_without_end() throws IOException {
        try (MessageGateway gateway = start(SHEET, PATH);
                var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(1);
            String there = "http://127.0.0.1:" + listener.getLocalPort() + "/x";
            var attributes = new StringBuilder();
            for (int i = 0; i < 50_000; i++) attributes.append(" a").append(i).append("='1'");
            var namespaces = new StringBuilder();
            for (int i = 0; i < 25_000; i++)
                namespaces.append(" xmlns:a").append(i).append("='urn:1'");
            for (String attack : List.of(
                    "<order" + attributes + "/>",
                    "<order" + namespaces + "/>",
                    "<order xml:base='" + there + "'/>",
                    "<?xml-stylesheet href='" + there + "'?><order/>",
                    "<order xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='urn:o " + there
                            + "'/>",
                    "<!DOCTYPE order SYSTEM '" + there + "'><order/>",
                    "<!DOCTYPE order [<!ENTITY e SYSTEM '" + there + "'>]><order><line>&e;</line></order>",
                    "<order>" + "<a>".repeat(10_000) + "</a>".repeat(10_000) + "</order>")) {
                assertRefused(gateway, "Content-Type: text/xml", attack.getBytes(UTF_8));
            }
            assertThat(accepted(listener)).isFalse();
        }
    }

    @Test
    void a_stylesheet_that_reaches_out_is_served_by_nobody_and_reads_nothing() throws IOException {
        Path canary = Files.writeString(data.resolve("canary.txt"), "c4nary");
        try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(1);
            String there = "http://127.0.0.1:" + listener.getLocalPort() + "/x";
            for (String uri : List.of(there, canary.toUri().toString())) {
                String sheet = SHEET.replace("select=\".\"/></l>", "select=\"document('" + uri + "')\"/></l>");
                assertThat(sheet).isNotEqualTo(SHEET);
                try (MessageGateway gateway = start(sheet, PATH)) {
                    String answer = gateway.post("Content-Type: text/xml", order(UTF_8));
                    assertThat(MessageGateway.status(answer)).isEqualTo(503);
                    assertThat(answer).contains("not-configured").doesNotContain("c4nary");
                    assertThat(gateway.arrived()).isEmpty();
                }
            }
            assertThat(accepted(listener)).isFalse();
        }
    }

    @Test
    void a_transformation_without_end_leaves_the_next_request_alone() throws IOException {
        String sheet = SHEET.replace(
                        "<xsl:for-each select=\"line\">",
                        "<xsl:if test=\"@loop\"><xsl:call-template name=\"loop\"/></xsl:if><xsl:for-each select=\"line\">")
                .replace(
                        "</xsl:stylesheet>",
                        "<xsl:template name='loop'><xsl:call-template name='loop'/></xsl:template></xsl:stylesheet>");
        try (MessageGateway gateway = start(sheet, PATH + ", \"timeout\": \"200ms\"")) {
            gateway.answers("Content-Type: text/plain", "fine".getBytes(UTF_8));

            String never = gateway.post("Content-Type: text/xml", "<order loop='1'/>".getBytes(UTF_8));
            String next = gateway.post("Content-Type: text/xml", order(UTF_8));

            assertThat(never).startsWith("HTTP/1.1 500 ").contains("policy-failed");
            assertThat(next).startsWith("HTTP/1.1 200 ").endsWith("fine");
            assertThat(gateway.arrived()).containsExactly(bytes(BILL));
        }
    }

    private static void assertRefused(MessageGateway gateway, String fields, byte[] body) {
        assertThat(MessageGateway.status(gateway.post(fields, body))).isEqualTo(400);
        assertThat(gateway.arrived()).isEmpty();
    }

    private static boolean accepted(ServerSocket listener) throws IOException {
        try {
            listener.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static byte[] order(Charset charset) {
        return "<order><line>10</line><line>é</line><line>9</line></order>".getBytes(charset);
    }

    /// As [MessageGateway] shows them: a character each.
    private static String bytes(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private MessageGateway start(String sheet, String more) throws IOException {
        Files.writeString(Files.createDirectories(data.resolve("resources")).resolve("s.xsl"), sheet);
        return MessageGateway.start(data, POLICY.formatted(more));
    }
}
