package gateway.xml;

import java.nio.charset.StandardCharsets;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/// Writes trees that [Xml#document] has read, changed or not, as UTF-8 without an XML declaration. What was no markup
/// in the tree is none in the text. Entities, `CDATA` and the order of attributes are not what they were.
public final class XmlText {
    private final StringBuilder text = new StringBuilder();

    private XmlText() {}

    public static byte[] of(Document document) {
        var written = new XmlText();
        written.children(document);
        return written.text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// What stands in `parent`, as XML only to whom knows the namespaces that are declared around it.
    public static byte[] content(Element parent) {
        var written = new XmlText();
        written.children(parent);
        return written.text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void children(Node parent) {
        for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) node(each);
    }

    private void node(Node node) {
        switch (node.getNodeType()) {
            case Node.ELEMENT_NODE -> element(node);
            case Node.TEXT_NODE -> escaped(node.getNodeValue(), false);
            case Node.COMMENT_NODE ->
                text.append("<!--").append(node.getNodeValue()).append("-->");
            case Node.PROCESSING_INSTRUCTION_NODE ->
                text.append("<?")
                        .append(node.getNodeName())
                        .append(' ')
                        .append(node.getNodeValue())
                        .append("?>");
            default -> throw new IllegalArgumentException("no node that is read: " + node.getNodeType());
        }
    }

    private void element(Node element) {
        text.append('<').append(element.getNodeName());
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            var each = (Attr) attributes.item(i);
            text.append(' ').append(each.getName()).append("=\"");
            escaped(each.getValue(), true);
            text.append('"');
        }
        if (element.getFirstChild() == null) {
            text.append("/>");
            return;
        }
        text.append('>');
        children(element);
        text.append("</").append(element.getNodeName()).append('>');
    }

    /// A reader turns line ends, and blanks in attributes, into others unless they are written as numbers.
    private void escaped(String value, boolean inAttribute) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> text.append("&amp;");
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '\r' -> text.append("&#13;");
                case '"' -> text.append(inAttribute ? "&quot;" : "\"");
                case '\t' -> text.append(inAttribute ? "&#9;" : "\t");
                case '\n' -> text.append(inAttribute ? "&#10;" : "\n");
                default -> text.append(c);
            }
        }
    }
}
