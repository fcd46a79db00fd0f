package gateway.policies.message.xml;

import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Looking around in trees of XML.
public final class XmlTrees {
    private XmlTrees() {}

    public static List<Element> children(Element parent) {
        var children = new ArrayList<Element>();
        for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Element element) children.add(element);
        }
        return children;
    }

    public static List<Element> children(Element parent, String namespace, String name) {
        return children(parent).stream()
                .filter(each -> is(each, namespace, name))
                .toList();
    }

    public static boolean is(Element element, String namespace, String name) {
        return namespaceOf(element).equals(namespace) && name.equals(element.getLocalName());
    }

    /// Empty for none.
    public static String namespaceOf(Node node) {
        String namespace = node.getNamespaceURI();
        return namespace == null ? "" : namespace;
    }
}
