package gateway.policies.message.xml;

import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/// Writes an element of a tree as a document of its own, with the namespaces that it stands in: names in its values may
/// use their prefixes. Comments and processing instructions are left out.
final class SchemaText {
    private final StringBuilder text = new StringBuilder();

    private SchemaText() {}

    static String of(Element element) {
        var writer = new SchemaText();
        writer.element(element, inherited(element));
        return writer.text.toString();
    }

    /// Declarations of the elements around it, by attribute name; the innermost one counts.
    private static Map<String, String> inherited(Element element) {
        var declared = new TreeMap<String, String>();
        for (Node outer = element.getParentNode(); outer instanceof Element each; outer = each.getParentNode()) {
            var attributes = each.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                Node attribute = attributes.item(i);
                if (isDeclaration(attribute)) declared.putIfAbsent(attribute.getNodeName(), attribute.getNodeValue());
            }
        }
        var own = element.getAttributes();
        for (int i = 0; i < own.getLength(); i++) declared.remove(own.item(i).getNodeName());
        return declared;
    }

    private static boolean isDeclaration(Node attribute) {
        return XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI());
    }

    private void element(Element element, Map<String, String> declared) {
        text.append('<').append(element.getTagName());
        declared.forEach(this::attribute);
        var attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            if (attributes.item(i) instanceof Attr each) attribute(each.getName(), each.getValue());
        }
        if (element.getFirstChild() == null) {
            text.append("/>");
            return;
        }
        text.append('>');
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Element child) element(child, new TreeMap<>());
            else if (each instanceof Text words) XmlEscapes.text(words.getData(), text);
        }
        text.append("</").append(element.getTagName()).append('>');
    }

    private void attribute(String name, String value) {
        text.append(' ').append(name).append("=\"");
        XmlEscapes.attribute(value, text);
        text.append('"');
    }
}
