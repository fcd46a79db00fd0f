package gateway.xml;

import gateway.xml.BadXmlException.Kind;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.util.Arrays;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXNotSupportedException;
import org.xml.sax.SAXParseException;
import org.xml.sax.ext.DefaultHandler2;
import org.xml.sax.ext.LexicalHandler;
import org.xml.sax.ext.Locator2;
import org.xml.sax.helpers.LocatorImpl;
import org.xml.sax.helpers.XMLFilterImpl;

/// Stands between a parser and whoever reads from it: counts, and stops what is not taken.
final class XmlGate extends XMLFilterImpl implements LexicalHandler {
    /// What the JDK's parser says of a DOCTYPE inside of an element, without calling it an error of the text.
    private static final String LOST = "Scanner State";

    private static final String INCLUSIONS = "http://www.w3.org/2001/XInclude";
    private static final String LIMIT_OF_THE_JDK = "JAXP000100";
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}; // of UTF-8

    private LexicalHandler lexical = new DefaultHandler2();
    private Locator place = new LocatorImpl();
    private @Nullable SpareParser spare; // null: given back when its document had ended
    private int depth;
    private int nodes;
    private int declared; // namespaces, for the element to come
    private boolean inText;
    private boolean marked;

    XmlGate() throws SAXException {
        take();
    }

    private SpareParser take() throws SAXException {
        SpareParser taken = SpareParser.take(this);
        setParent(taken.parser());
        spare = taken;
        return taken;
    }

    @Override
    public void setProperty(String name, Object value) throws SAXNotSupportedException {
        if (!name.equals(Xml.LEXICAL_HANDLER) || !(value instanceof LexicalHandler handler)) {
            throw new SAXNotSupportedException("no property of this parser can be changed");
        }
        lexical = handler;
    }

    @Override
    public void setFeature(String name, boolean value) throws SAXNotSupportedException {
        try {
            if (getFeature(name) == value) return;
        } catch (SAXException e) {
            throw new SAXNotSupportedException("unknown to this parser");
        }
        throw new SAXNotSupportedException("no feature of this parser can be changed");
    }

    @Override
    public void parse(InputSource input) throws SAXException, IOException {
        if (input.getByteStream() == null && input.getCharacterStream() == null) {
            throw new SAXNotSupportedException("only what is at hand is read");
        }
        marked = beginsWithMark(input.getByteStream());
        SpareParser reading = spare == null ? take() : spare;
        try {
            super.parse(input);
            spare = null;
            setParent(null);
            reading.giveBack();
        } catch (CharConversionException | UnsupportedEncodingException e) {
            throw bad(Kind.MALFORMED, "not in the encoding that it says");
        } catch (SAXException e) {
            if (String.valueOf(e.getMessage()).startsWith(LOST)) throw bad(Kind.REFUSED, "a DOCTYPE");
            throw e;
        }
    }

    private static boolean beginsWithMark(@Nullable InputStream content) throws IOException {
        if (content == null || !content.markSupported()) return false;
        content.mark(MARK.length);
        byte[] first = content.readNBytes(MARK.length);
        content.reset();
        return Arrays.equals(first, MARK);
    }

    @Override
    public void parse(String url) throws SAXException {
        throw new SAXNotSupportedException("only what is at hand is read");
    }

    @Override
    public InputSource resolveEntity(String publicId, String systemId) throws SAXException {
        throw bad(Kind.REFUSED, "an external entity");
    }

    @Override
    public void setDocumentLocator(Locator locator) {
        place = locator;
        super.setDocumentLocator(locator);
    }

    @Override
    public void startDocument() throws SAXException {
        depth = 0;
        nodes = 0;
        declared = 0;
        inText = false;
        super.startDocument();
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) throws SAXException {
        if (uri.length() > Xml.NAME) throw tooLong();
        met(prefix);
        met(uri);
        declared++;
        super.startPrefixMapping(prefix, uri);
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes) throws SAXException {
        if (depth == 0 && place instanceof Locator2 more) checkDeclaration(more);
        if (++depth > Xml.DEPTH) throw bad(Kind.TOO_COMPLEX, "more than " + Xml.DEPTH + " elements deep");
        int count = declared + attributes.getLength();
        if (count > Xml.ATTRIBUTES) throw bad(Kind.TOO_COMPLEX, "more than " + Xml.ATTRIBUTES + " attributes");
        declared = 0;
        count(1 + count);
        checkName(name);
        if (uri.equals(INCLUSIONS)) throw bad(Kind.REFUSED, "XInclude");
        for (int i = 0; i < attributes.getLength(); i++) check(attributes, i);
        super.startElement(uri, localName, name, attributes);
    }

    /// The parser goes by the encoding that is declared, where others go by the mark before it.
    private void checkDeclaration(Locator2 declared) throws BadXmlException {
        if ("1.1".equals(declared.getXMLVersion())) throw bad(Kind.REFUSED, "XML 1.1");
        if (marked && !"UTF-8".equalsIgnoreCase(declared.getEncoding()))
            throw bad(Kind.MALFORMED, "said to be in two encodings");
    }

    private void check(Attributes attributes, int at) throws BadXmlException {
        checkName(attributes.getQName(at));
        String uri = attributes.getURI(at);
        String name = attributes.getLocalName(at);
        if (uri.equals(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI)
                && (name.equals("schemaLocation") || name.equals("noNamespaceSchemaLocation"))) {
            throw bad(Kind.REFUSED, "the place of a schema");
        }
        if (uri.equals(XMLConstants.XML_NS_URI) && name.equals("base")) throw bad(Kind.REFUSED, "xml:base");
    }

    /// The parser takes an empty prefix for none, and an element `xmlns`; trees and canonical XML know neither.
    private void checkName(String name) throws BadXmlException {
        if (name.length() > Xml.NAME) throw tooLong();
        if (name.charAt(0) == ':' || name.equals("xmlns")) throw bad(Kind.MALFORMED, "a name that is none");
        met(name);
    }

    private void met(String name) {
        if (spare != null) spare.met(name);
    }

    @Override
    public void endElement(String uri, String localName, String name) throws SAXException {
        depth--;
        inText = false;
        super.endElement(uri, localName, name);
    }

    @Override
    public void characters(char[] text, int start, int length) throws SAXException {
        if (!inText) count(1);
        inText = true;
        super.characters(text, start, length);
    }

    @Override
    public void processingInstruction(String target, String data) throws SAXException {
        count(1);
        if (target.equals("xml-stylesheet")) throw bad(Kind.REFUSED, "the place of a stylesheet");
        if (target.length() > Xml.NAME) throw tooLong();
        if (target.indexOf(':') >= 0) throw bad(Kind.MALFORMED, "a name that is none"); // Namespaces in XML 1.0, §7
        met(target);
        super.processingInstruction(target, data);
    }

    @Override
    public void comment(char[] text, int start, int length) throws SAXException {
        count(1);
        lexical.comment(text, start, length);
    }

    @Override
    public void startDTD(String name, String publicId, String systemId) throws SAXException {
        throw bad(Kind.REFUSED, "a DOCTYPE");
    }

    @Override
    public void endDTD() {}

    @Override
    public void startEntity(String name) {}

    @Override
    public void endEntity(String name) {}

    @Override
    public void startCDATA() throws SAXException {
        lexical.startCDATA();
    }

    @Override
    public void endCDATA() throws SAXException {
        lexical.endCDATA();
    }

    @Override
    public void warning(SAXParseException e) {}

    @Override
    public void error(SAXParseException e) throws SAXException {
        fatalError(e);
    }

    /// Its message may hold what the text says, so it goes no further.
    @Override
    public void fatalError(SAXParseException e) throws SAXException {
        String said = String.valueOf(e.getMessage());
        int line = e.getLineNumber();
        int column = e.getColumnNumber();
        if (said.startsWith(LIMIT_OF_THE_JDK)) {
            throw BadXmlException.at(Kind.TOO_COMPLEX, "over a limit of depth, names or attributes", line, column);
        }
        if (said.startsWith("DOCTYPE")) throw BadXmlException.at(Kind.REFUSED, "a DOCTYPE", line, column);
        throw BadXmlException.at(Kind.MALFORMED, "not well-formed", line, column);
    }

    /// A comment or an instruction between two texts makes them two.
    private void count(int more) throws BadXmlException {
        inText = false;
        nodes += more;
        if (nodes > Xml.NODES) throw bad(Kind.TOO_COMPLEX, "more than " + Xml.NODES + " nodes");
    }

    private BadXmlException tooLong() {
        return bad(Kind.TOO_COMPLEX, "a name of more than " + Xml.NAME + " characters");
    }

    private BadXmlException bad(Kind kind, String what) {
        return BadXmlException.at(kind, what, place);
    }
}
