package gateway.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.xml.BadXmlException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXNotSupportedException;
import org.xml.sax.helpers.DefaultHandler;

final class XmlTest {
    private static final String SAMPLE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- before --><?note one?>
            <s:Envelope xmlns:s="urn:soap" xmlns="urn:orders" xml:lang="tr">
              <s:Body s:id="b" note="a&#10;b &quot;c&quot; &#x1F600;">ğ&amp;ü<![CDATA[<raw>]]>&lt;<!-- in -->text<?pi two?></s:Body>
              <order xmlns=""><item n="1"/></order>
            </s:Envelope>
            """;

    @Test
    void a_document_is_read_as_the_jdk_reads_it() throws Exception {
        Document ours = Xml.document(SAMPLE.getBytes(StandardCharsets.UTF_8));

        assertThat(ours.isEqualNode(theirs(SAMPLE))).isTrue();
        assertThat(ours.getDocumentElement().lookupNamespaceURI(null)).isEqualTo("urn:orders");
    }

    @Test
    void no_attribute_is_an_id_by_its_name() throws Exception {
        Document document = Xml.document("<a ID='x' Id='y' id='z' xml:id='w'/>".getBytes(StandardCharsets.UTF_8));

        for (String each : List.of("x", "y", "z", "w"))
            assertThat(document.getElementById(each)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "ISO-8859-9", "windows-1254"})
    void the_encoding_is_the_one_that_it_says(String encoding) throws Exception {
        String text = "<?xml version='1.0' encoding='" + encoding + "'?><a>ğüşıöç</a>";

        Document document = Xml.document(text.getBytes(Charset.forName(encoding)));

        assertThat(document.getDocumentElement().getTextContent()).isEqualTo("ğüşıöç");
    }

    @Test
    void an_encoding_from_around_it_is_taken() throws Exception {
        var found = new StringBuilder();
        var reader = Xml.reader();
        reader.setContentHandler(new DefaultHandler() {
            @Override
            public void characters(char[] text, int start, int length) {
                found.append(text, start, length);
            }
        });

        reader.parse(Xml.source("<a>ğ</a>".getBytes(Charset.forName("ISO-8859-9")), "ISO-8859-9"));

        assertThat(found).hasToString("ğ");
        assertThat(Xml.document("<a>ğ</a>".getBytes(Charset.forName("ISO-8859-9")), "ISO-8859-9")
                        .getDocumentElement()
                        .getTextContent())
                .isEqualTo("ğ");
    }

    @Test
    void what_is_written_is_read_as_the_same_tree() throws Exception {
        String text = SAMPLE.replace("text<?pi", "&#13;\n\t]]&gt;text<?pi").replace("a&#10;b", "a&#10;&#9;&#13;b");
        Document document = Xml.document(bytes(text));

        Document again = Xml.document(XmlText.of(document));

        assertThat(again.isEqualNode(document)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a><a/>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
                "<a><!DOCTYPE a></a>",
                "<a>text<!DOCTYPE a [<!ENTITY e 'x'>]><b/></a>",
                "<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'>%p;]><a/>",
                "<!DOCTYPE a [<!ATTLIST a id ID #IMPLIED>]><a id='x'/>",
                "<?xml version='1.1'?><a/>",
                "<?xml-stylesheet href='http://127.0.0.1/x.xsl'?><a/>",
                "<a><?xml-stylesheet href='http://127.0.0.1/x.xsl'?></a>",
                "<a xml:base='http://127.0.0.1/'/>",
                "<a xmlns:x='http://www.w3.org/2001/XMLSchema-instance' x:schemaLocation='urn:a http://127.0.0.1/'/>",
                "<a xmlns:x='http://www.w3.org/2001/XMLSchema-instance' x:noNamespaceSchemaLocation='http://127.0.0.1/'/>"
            })
    void what_points_out_of_it_is_refused(String text) {
        assertThat(kind_of(text)).isEqualTo(Kind.REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "<a>",
                "<a/><b/>",
                "<a/>text",
                "<p:a/>",
                "<a xmlns:p=''/>",
                "<a p:b='1'/>",
                "<a b='1' b='2'/>",
                "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
                "<a>&undeclared;</a>",
                "<a>&#0;</a>",
                "<a b='<'/>",
                "<xml:a xmlns:xml='urn:other'/>",
                "<a xmlns:xmlns='urn:x'/>",
                "<:a/>",
                "<a :b='1'/>",
                "<xmlns/>",
                "<?a:b?><a/>",
                "<?xml version='1.0' encoding='no-such'?><a/>",
                "<?xml version='1.0' encoding='UTF-16'?><a/>",
                "<?xml version='2.0'?><a/>"
            })
    void what_is_no_xml_is_malformed(String text) {
        assertThat(kind_of(text)).isEqualTo(Kind.MALFORMED);
    }

    /// As the public suite has it: two readers would read two documents.
    @Test
    void a_mark_of_utf_8_before_another_encoding_is_malformed() throws Exception {
        assertThat(Xml.document("\uFEFF<?xml version='1.0' encoding='utf-8'?><a>ü</a>".getBytes(StandardCharsets.UTF_8))
                        .getDocumentElement()
                        .getTextContent())
                .isEqualTo("ü");
        byte[] two = "\uFEFF<?xml version='1.0' encoding='iso-8859-1'?><a>ü</a>".getBytes(StandardCharsets.UTF_8);
        assertThat(catchThrowableOfType(BadXmlException.class, () -> Xml.document(two))
                        .kind())
                .isEqualTo(Kind.MALFORMED);
    }

    @Test
    void broken_utf_8_is_malformed() {
        for (String each :
                new String[] {"\u00c0\u00af", "\u00e0\u0080\u00af", "\u00ed\u00a0\u0080", "\u00ff", "\u00c3"}) {
            byte[] bytes = ("<a>" + each + "</a>").getBytes(StandardCharsets.ISO_8859_1);

            assertThat(kind_of(bytes)).isEqualTo(Kind.MALFORMED);
        }
    }

    @Test
    void what_is_over_a_limit_is_too_complex() throws Exception {
        assertThat(kind_of(nested(Xml.DEPTH + 1))).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of(wide(Xml.ATTRIBUTES + 1, "a%d='1'"))).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of(wide(Xml.ATTRIBUTES + 1, "xmlns:a%d='u'"))).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of("<a>" + "<b/>".repeat(Xml.NODES) + "</a>")).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of("<a>" + "<!---->".repeat(Xml.NODES) + "</a>")).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of("<a>" + "<b c=''>x</b>".repeat(Xml.NODES / 3 + 1) + "</a>"))
                .isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of("<" + "n".repeat(Xml.NAME + 1) + "/>")).isEqualTo(Kind.TOO_COMPLEX);
        assertThat(kind_of("<a " + "n".repeat(Xml.NAME + 1) + "=''/>")).isEqualTo(Kind.TOO_COMPLEX);
        for (String each : List.of("u", "&#65;")) {
            assertThat(kind_of("<a xmlns:p='" + each.repeat(Xml.NAME + 1) + "'/>"))
                    .isEqualTo(Kind.TOO_COMPLEX);
            assertThat(kind_of("<a xmlns='" + each.repeat(Xml.NAME + 1) + "'/>"))
                    .isEqualTo(Kind.TOO_COMPLEX);
        }
    }

    @Test
    void what_is_at_a_limit_is_read() throws Exception {
        Xml.document(bytes(nested(Xml.DEPTH)));
        Xml.document(bytes(wide(Xml.ATTRIBUTES / 2, "a%d='1' xmlns:p%1$d='u'")));
        Xml.document(bytes("<" + "n".repeat(Xml.NAME) + "/>"));
        Xml.document(bytes("<a xmlns:p='" + "&#65;".repeat(Xml.NAME) + "'/>"));
        Xml.document(bytes("<a>" + "<b/>".repeat(Xml.NODES - 1) + "</a>"));
        Xml.document(bytes("<a>" + "&amp;&#65;x".repeat(100_000) + "</a>"));
    }

    @Test
    void nothing_is_fetched_whatever_the_text_asks_for() throws Exception {
        try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + listener.getLocalPort() + "/";
            String instance = "xmlns:x='http://www.w3.org/2001/XMLSchema-instance' ";
            kind_of("<!DOCTYPE a SYSTEM '" + url + "'><a/>");
            kind_of("<!DOCTYPE a [<!ENTITY e SYSTEM '" + url + "'>]><a>&e;</a>");
            kind_of("<a " + instance + "x:schemaLocation='urn:a " + url + "'/>");
            kind_of("<?xml-stylesheet href='" + url + "'?><a/>");
            assertThat(kind_of("<a><include xmlns='http://www.w3.org/2001/XInclude' href='" + url + "'/></a>"))
                    .isEqualTo(Kind.REFUSED);

            listener.setSoTimeout(1);
            assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void a_reader_cannot_be_opened_up() {
        var reader = Xml.reader();

        assertThatThrownBy(() -> reader.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false))
                .isInstanceOf(SAXNotSupportedException.class);
        assertThatThrownBy(() -> reader.setProperty("jdk.xml.maxElementDepth", "0"))
                .isInstanceOf(SAXNotSupportedException.class);
        assertThatThrownBy(() -> reader.parse("file:///etc/passwd")).isInstanceOf(SAXNotSupportedException.class);
        assertThatThrownBy(() -> reader.parse(new InputSource("file:///etc/passwd")))
                .isInstanceOf(SAXNotSupportedException.class);
    }

    @Test
    void what_is_told_of_it_holds_nothing_of_the_text() {
        var refusal =
                catchThrowableOfType(BadXmlException.class, () -> Xml.document(bytes("<a>\n<secret>1</hunter2></a>")));

        assertThat(refusal).hasMessage("not well-formed at line 2, column 12");
    }

    @Property(tries = 2_000)
    void changed_bytes_are_read_as_the_jdk_reads_them_or_refused(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes) throws Exception {
        byte[] bytes = SAMPLE.getBytes(StandardCharsets.UTF_8);
        var random = new Random(seed);
        for (int i = 0; i < changes; i++) bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(128);
        Document ours;
        try {
            ours = Xml.document(bytes);
        } catch (BadXmlException e) {
            return;
        }

        assertThat(ours.isEqualNode(theirs(bytes))).isTrue();
        assertThat(Xml.document(XmlText.of(ours)).isEqualNode(ours)).isTrue();
    }

    private static Kind kind_of(String text) {
        return kind_of(bytes(text));
    }

    private static Kind kind_of(byte[] bytes) {
        return catchThrowableOfType(BadXmlException.class, () -> Xml.document(bytes))
                .kind();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String nested(int depth) {
        return "<a>".repeat(depth) + "</a>".repeat(depth);
    }

    private static String wide(int count, String attribute) {
        return IntStream.range(0, count).mapToObj(attribute::formatted).collect(Collectors.joining(" ", "<a ", "/>"));
    }

    private static Node theirs(String text) throws Exception {
        return theirs(bytes(text));
    }

    private static Node theirs(byte[] bytes) throws Exception {
        var factory = DocumentBuilderFactory.newDefaultNSInstance();
        factory.setCoalescing(true);
        try (var in = new ByteArrayInputStream(bytes)) {
            return factory.newDocumentBuilder().parse(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
