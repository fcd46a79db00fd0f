package gateway.xml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;

/// Strict XML 1.0 with namespaces, from whoever sent it. There is no DOCTYPE, so no entity but the five of XML and no
/// attribute that a DTD declares; nothing outside of the text is read or named: no XInclude, no `xml:base`, no place
/// of a schema or stylesheet. At most [#DEPTH] elements deep, [#ATTRIBUTES] attributes and declarations an element,
/// [#NODES] nodes, names and namespaces of [#NAME] characters.
public final class Xml {
    public static final int DEPTH = 100;
    public static final int ATTRIBUTES = 64;
    public static final int NODES = 100_000;
    public static final int NAME = 256;

    /// The one property of a [#reader] that can be set: whom it tells of comments.
    public static final String LEXICAL_HANDLER = "http://xml.org/sax/properties/lexical-handler";

    private static final String SAX = "http://xml.org/sax/features/";
    private static final String APACHE = "http://apache.org/xml/features/";

    private static final Map<String, Boolean> FEATURES = Map.of(
            XMLConstants.FEATURE_SECURE_PROCESSING,
            true,
            APACHE + "disallow-doctype-decl",
            true,
            SAX + "external-general-entities",
            false,
            SAX + "external-parameter-entities",
            false,
            APACHE + "nonvalidating/load-external-dtd",
            false,
            XMLConstants.USE_CATALOG,
            false);

    /// The gate counts too: these stop the parser before it has gathered what it would show the gate.
    private static final Map<String, String> LIMITS = Map.of(
            XMLConstants.ACCESS_EXTERNAL_DTD,
            "",
            XMLConstants.ACCESS_EXTERNAL_SCHEMA,
            "",
            "jdk.xml.maxElementDepth",
            String.valueOf(DEPTH),
            "jdk.xml.elementAttributeLimit",
            String.valueOf(ATTRIBUTES),
            "jdk.xml.maxXMLNameLimit",
            String.valueOf(NAME));

    private Xml() {}

    /// The tree of `content`: elements, attributes, text, comments and processing instructions. `CDATA` is text, and no
    /// attribute is an id until somebody says so.
    ///
    /// @throws BadXmlException when it is not read
    public static Document document(byte[] content) throws BadXmlException {
        return document(source(content));
    }

    /// The same in an encoding that something around it says, whatever it says itself.
    ///
    /// @throws BadXmlException when it is not read
    public static Document document(byte[] content, String encoding) throws BadXmlException {
        return document(source(content, encoding));
    }

    /// The same of what [#source] makes.
    ///
    /// @throws BadXmlException when it is not read
    public static Document document(InputSource source) throws BadXmlException {
        XMLReader reader = reader();
        var tree = new XmlTree();
        reader.setContentHandler(tree);
        try {
            reader.setProperty(LEXICAL_HANDLER, tree);
            reader.parse(source);
        } catch (BadXmlException e) {
            throw e;
        } catch (SAXException e) {
            throw new IllegalStateException("the gate lets no other one out", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes at hand do not fail to come
        }
        return tree.document();
    }

    /// A parser, for libraries that want to be fed by one. What it refuses it tells by a [BadXmlException]. None of its
    /// features can be changed, and whatever resolves entities is not asked.
    public static XMLReader reader() {
        try {
            return new XmlGate();
        } catch (SAXException e) {
            throw unknown(e);
        }
    }

    /// The JDK's parser, as strict as it can be made.
    static XMLReader parser() {
        try {
            XMLReader parser =
                    SAXParserFactory.newDefaultNSInstance().newSAXParser().getXMLReader();
            for (var each : FEATURES.entrySet()) parser.setFeature(each.getKey(), each.getValue());
            for (var each : LIMITS.entrySet()) parser.setProperty(each.getKey(), each.getValue());
            return parser;
        } catch (ParserConfigurationException | SAXException e) {
            throw unknown(e);
        }
    }

    private static IllegalStateException unknown(Exception e) {
        return new IllegalStateException("the JDK's own parser knows these", e);
    }

    /// A maker of grammars (XML Schema 1.0), which reads nothing but what it is given: whoever uses it says by its
    /// resolver what imports and includes lead to. Bounded as the JDK bounds it: content models of 5,000 nodes.
    public static SchemaFactory grammars() {
        try {
            SchemaFactory factory = SchemaFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            return factory;
        } catch (SAXException e) {
            throw new IllegalStateException("the JDK's own factory knows these", e);
        }
    }

    /// What [#reader] reads `content` from. It says its encoding by itself: byte order mark, XML declaration, else
    /// UTF-8.
    public static InputSource source(byte[] content) {
        return new InputSource(new ByteArrayInputStream(content));
    }

    /// The same in an encoding that something around it says, such as a `Content-Type`.
    public static InputSource source(byte[] content, String encoding) {
        InputSource source = source(content);
        source.setEncoding(encoding);
        return source;
    }
}
