package gateway.policies.message.xslt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Attack 35: each function and instruction that reads or writes, at a file that is watched and at a server that waits.
final class StylesheetReachTest {
    private static final String CANARY = "c4nary";
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));

    /// `%s` is a URI of something that could be read.
    private static final List<String> READERS = List.of(
            "document('%s')",
            "document('')",
            "document('%s', /)",
            "doc('%s')",
            "doc-available('%s')",
            "doc(/a)",
            "unparsed-text('%s')",
            "unparsed-text-lines('%s')",
            "unparsed-text-available('%s')",
            "json-doc('%s')",
            "collection('%s')",
            "collection()",
            "uri-collection('%s')",
            "transform(map{'stylesheet-location': '%s', 'source-node': /})",
            "load-xquery-module('urn:x', map{'location-hints': '%s'})('variables')",
            "environment-variable('PATH')",
            "available-environment-variables()",
            "function-lookup(xs:QName('fn:doc'), 1)('%s')",
            "function-lookup(xs:QName('fn:unparsed-text'), 1)('%s')",
            "apply(function-lookup(xs:QName('fn:environment-variable'), 1), ['PATH'])",
            "doc#1('%s')",
            "('%s') ! doc(.)",
            "parse-xml('<!DOCTYPE a [<!ENTITY e SYSTEM \"%s\">]><a>&amp;e;</a>')",
            "parse-xml-fragment('<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e SYSTEM \"%s\">]><a>&amp;e;</a>')",
            "Q{java:java.lang.System}getenv('PATH')",
            "Q{java:java.lang.System}getProperty('user.dir')",
            "Q{http://saxon.sf.net/java-type}java.io.File('%s')",
            "Q{http://expath.org/ns/file}read-text('%s')",
            "Q{http://saxon.sf.net/}doc('%s')",
            "Q{http://saxon.sf.net/}discard-document(/)",
            "Q{http://exslt.org/common}document('%s')");

    private static final String COLLATION = "http://saxon.sf.net/collation?class=" + MadeByAStylesheet.class.getName();
    private static final List<String> COLLATIONS = List.of(
            "<xsl:value-of select=\"compare('a', 'b', 'C')\"/>",
            "<xsl:value-of select=\"compare('a', 'b', string(/a[. = 'none']) || 'C')\"/>",
            "<xsl:value-of select=\"compare('a', 'b', 'http://saxon.sf.net/collation/alphaNumeric?base=C')\"/>",
            "<xsl:for-each select=\"'a', 'b'\"><xsl:sort collation='C'/></xsl:for-each>",
            "<xsl:for-each select=\"'a', 'b'\"><xsl:sort collation=\"{string(/a[. = 'none'])}C\"/></xsl:for-each>",
            "<xsl:for-each-group select=\"'a', 'b'\" group-by='.' collation='C'/>",
            "<xsl:value-of default-collation='C' select=\"'a' = 'b'\"/>",
            "<xsl:value-of use-when=\"compare('a', 'b', 'C') = 0\" select='1'/>");

    private static final List<String> INSTRUCTIONS = List.of(
            "<xsl:result-document href='%s'>x</xsl:result-document>",
            "<xsl:source-document href='%s'><xsl:copy-of select='.'/></xsl:source-document>",
            "<xsl:evaluate xpath=\"'doc(''%s'')'\"/>",
            "<xsl:merge><xsl:merge-source for-each-source=\"'%s'\" select='*'><xsl:merge-key select='.'/>"
                    + "</xsl:merge-source><xsl:merge-action/></xsl:merge>",
            "<s:assign xmlns:s='http://saxon.sf.net/' name='x' xsl:extension-element-prefixes='s'/>",
            "<s:doctype xmlns:s='http://saxon.sf.net/' xsl:extension-element-prefixes='s'/>",
            "<r:write xmlns:r='http://xml.apache.org/xalan/redirect' file='%s' xsl:extension-element-prefixes='r'/>",
            "<e:document xmlns:e='http://exslt.org/common' href='%s' xsl:extension-element-prefixes='e'/>");

    private static final List<String> DECLARATIONS = List.of(
            "<xsl:import href='%s'/>",
            "<xsl:include href='%s'/>",
            "<xsl:use-package name='%s'/>",
            "<xsl:import-schema schema-location='%s'/>",
            "<xsl:output parameter-document='%s'/>");

    @TempDir
    private Path folder;

    @Test
    void nothing_but_the_message_is_read_and_nothing_written() throws IOException {
        Path canary = Files.writeString(folder.resolve("canary.xml"), "<a>" + CANARY + "</a>");
        Files.getFileAttributeView(canary, java.nio.file.attribute.BasicFileAttributeView.class)
                .setTimes(LONG_AGO, LONG_AGO, null);
        var streams = new ByteArrayOutputStream();
        PrintStream error = System.err;
        System.setErr(new PrintStream(streams, true, StandardCharsets.UTF_8));
        try (var server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(1);
            String http = "http://127.0.0.1:" + server.getLocalPort() + "/canary.xml";
            for (String each : sheets()) {
                for (String uri : List.of(
                        canary.toUri().toString(),
                        "jar:" + canary.toUri() + "!/a",
                        http,
                        "classpath:net/sf/saxon/data/categories.xml",
                        "canary.xml")) {
                    tried(each.replace("%s", uri));
                }
            }
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        } finally {
            System.setErr(error);
        }

        assertThat(Files.readAttributes(canary, BasicFileAttributes.class).lastAccessTime())
                .isEqualTo(LONG_AGO);
        assertThat(Files.readAttributes(canary, BasicFileAttributes.class).lastModifiedTime())
                .isEqualTo(LONG_AGO);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(canary);
        }
        assertThat(streams.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /// Of which an object is made, wherever a stylesheet reaches it.
    public static final class MadeByAStylesheet implements Comparator<Object> {
        private static final AtomicInteger MADE = new AtomicInteger();

        public MadeByAStylesheet() {
            MADE.incrementAndGet();
        }

        @Override
        public int compare(Object one, Object other) {
            return Integer.compare(one.hashCode(), other.hashCode());
        }
    }

    @Test
    void collations_make_no_objects_of_classes_and_those_of_the_standards_work() {
        for (String each : COLLATIONS)
            tried(sheet("3.0", "", each.replace("C'", COLLATION + "'").replace("C\"", COLLATION + '"')));
        assertThat(MadeByAStylesheet.MADE).hasValue(0);

        for (String each : List.of(
                "http://www.w3.org/2013/collation/UCA?lang=en;strength=primary",
                "http://www.w3.org/2005/xpath-functions/collation/html-ascii-case-insensitive")) {
            var services = new FakeServices();
            services.putResource(
                    "s.xsl", sheet("3.0", "", "<xsl:value-of select=\"compare('a', 'A', '" + each + "')\"/>"));
            PolicyRun run = PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}}", services);
            run.send(Exchanges.of("POST", "/").with("Content-Type", "text/xml").body("<a/>"));
            assertThat(run.arrived()).as(each).isEqualTo("<o>0</o>");
        }
    }

    /// Refused when written, or nothing comes of it.
    private static void tried(String sheet) {
        PolicyRun run;
        try {
            var services = new FakeServices();
            services.putResource("s.xsl", sheet);
            run = PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}}", services);
        } catch (InvalidConfigException e) {
            assertThat(e.getMessage()).as(sheet).contains("/policies/0/stylesheet");
            return;
        }
        Response answer = run.send(
                Exchanges.of("POST", "/").with("Content-Type", "text/xml").body("<a>file:///etc/passwd</a>"));
        if (answer.status() == 200) {
            assertThat(run.arrived()).as(sheet).isIn("<o/>", "<o>false</o>", "<o>xb</o>");
            return;
        }
        assertThat(answer.status()).as(sheet).isEqualTo(500);
        assertThat(run.arrived()).isEmpty();
        assertThat(PolicyRun.text(answer)).as(sheet).contains("policy-failed").doesNotContain(CANARY, "root:");
    }

    private static List<String> sheets() {
        var sheets = new ArrayList<String>();
        for (String version : List.of("1.0", "2.0", "3.0")) {
            for (String each : READERS) {
                String select = each.replace("\"", "&quot;").replace("<", "&lt;");
                sheets.add(sheet(version, "", "<xsl:copy-of select=\"" + select + "\"/>"));
            }
            for (String each : INSTRUCTIONS) sheets.add(sheet(version, "", each));
            for (String each : DECLARATIONS) sheets.add(sheet(version, each, "xb"));
        }
        return sheets;
    }

    private static String sheet(String version, String declaration, String instruction) {
        return "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='" + version
                + "' xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:fn='http://www.w3.org/2005/xpath-functions'"
                + " xmlns:map='http://www.w3.org/2005/xpath-functions/map' exclude-result-prefixes='#all'>"
                + declaration + "<xsl:output omit-xml-declaration='yes'/><xsl:template match='/'><o>" + instruction
                + "</o></xsl:template></xsl:stylesheet>";
    }
}
