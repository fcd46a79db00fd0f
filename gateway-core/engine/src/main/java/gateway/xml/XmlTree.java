package gateway.xml;

import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.Attributes;
import org.xml.sax.ext.DefaultHandler2;

/// Grows the tree of a document while it is read, so that a limit stops both. Declarations of namespaces are
/// attributes of it, as canonical XML wants them.
final class XmlTree extends DefaultHandler2 {
    private static final DOMImplementation TREES = trees();

    private record Declaration(String prefix, String uri) {}

    private final Document document = TREES.createDocument(null, null, null);
    private final List<Declaration> declared = new ArrayList<>(); // for the element to come
    private final StringBuilder text = new StringBuilder();
    private Node inner = document;

    private static DOMImplementation trees() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK's own has no wishes", e);
        }
    }

    Document document() {
        return document;
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) {
        declared.add(new Declaration(prefix, uri));
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes) {
        flush();
        Element element = document.createElementNS(uri, name);
        for (Declaration each : declared) {
            String attribute = each.prefix().isEmpty() ? "xmlns" : "xmlns:" + each.prefix();
            element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, attribute, each.uri());
        }
        declared.clear();
        for (int i = 0; i < attributes.getLength(); i++) {
            element.setAttributeNS(attributes.getURI(i), attributes.getQName(i), attributes.getValue(i));
        }
        inner.appendChild(element);
        inner = element;
    }

    @Override
    public void endElement(String uri, String localName, String name) {
        flush();
        inner = inner.getParentNode();
    }

    @Override
    public void characters(char[] characters, int start, int length) {
        text.append(characters, start, length);
    }

    @Override
    public void ignorableWhitespace(char[] characters, int start, int length) {
        text.append(characters, start, length);
    }

    @Override
    public void comment(char[] characters, int start, int length) {
        flush();
        inner.appendChild(document.createComment(new String(characters, start, length)));
    }

    @Override
    public void processingInstruction(String target, String data) {
        flush();
        inner.appendChild(document.createProcessingInstruction(target, data));
    }

    private void flush() {
        if (text.isEmpty()) return;
        inner.appendChild(document.createTextNode(text.toString()));
        text.setLength(0);
    }
}
