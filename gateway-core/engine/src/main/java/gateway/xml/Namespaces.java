package gateway.xml;

import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/// The namespaces that prefixes stand for at a place of a tree.
public final class Namespaces {
    private Namespaces() {}

    /// Those that the elements around `element` declare, by their prefixes; empty text: without one.
    public static Map<String, String> around(Element element) {
        var found = new TreeMap<String, String>();
        for (Node each = element.getParentNode(); each instanceof Element; each = each.getParentNode()) {
            NamedNodeMap attributes = each.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                var declared = (Attr) attributes.item(i);
                if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(declared.getNamespaceURI())) {
                    found.putIfAbsent(prefix(declared), declared.getValue());
                }
            }
        }
        return found;
    }

    /// Lets `element` say itself what the elements around it declare, so that its text is whole without them.
    public static void declareIn(Element element) {
        declareIn(element, element);
    }

    /// The same of an element that is to stand alone and of what is around `place`.
    public static void declareIn(Element element, Element place) {
        around(place).forEach((prefix, namespace) -> {
            String name = prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
            if (!element.hasAttribute(name)) {
                element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name, namespace);
            }
        });
    }

    private static String prefix(Attr declaration) {
        return declaration.getPrefix() == null ? "" : declaration.getLocalName();
    }
}
