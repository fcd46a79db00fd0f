package gateway.policies.message.wss;

import gateway.policies.message.xml.XmlTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/// The ids of a message. An id that two elements have is that of one to one reader and of the other to another:
/// however it is written it counts, as `wsu:Id`, `Id`, `ID`, `xml:id`.
final class ElementIds {
    /// An NCName (Namespaces in XML §3), which a reference can hold as it is.
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}._-]*+");

    private final Map<String, Attr> known = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> inPayload = new HashSet<>();

    private ElementIds() {}

    /// @param payload what is in it may name things twice, as long as those are no others' ids: that is its own
    /// business
    /// @throws BadSecurityException when an id is there twice
    static ElementIds of(Element root, Element payload) {
        var ids = new ElementIds();
        Set<String> twice = new HashSet<>();
        ids.add(root, payload, false, twice);
        for (String each : ids.inPayload) {
            if (!ids.taken.add(each)) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        }
        for (String each : twice) ids.known.remove(each);
        return ids;
    }

    private void add(Element element, Element payload, boolean inside, Set<String> twice) {
        for (Attr each : ids(element)) {
            String id = each.getValue().strip();
            boolean isNew = inside ? inPayload.add(id) : taken.add(id);
            if (!isNew && !inside) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
            if (!isNew) twice.add(id);
            if (isReferable(each)) known.put(id, each);
        }
        boolean below = inside || element.isSameNode(payload);
        for (Element each : XmlTrees.children(element)) add(each, payload, below, twice);
    }

    private static List<Attr> ids(Element element) {
        NamedNodeMap attributes = element.getAttributes();
        var found = new ArrayList<Attr>(1);
        for (int i = 0; i < attributes.getLength(); i++) {
            var each = (Attr) attributes.item(i);
            boolean declares = XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI());
            if (!declares && each.getLocalName().equalsIgnoreCase("id")) found.add(each);
        }
        return found;
    }

    /// SOAP Message Security 1.1 §4.2: elements of others have `wsu:Id`, those of signatures and encryption `Id`.
    private static boolean isReferable(Attr id) {
        String namespace = XmlTrees.namespaceOf(id);
        return id.getLocalName().equals("Id") && (namespace.isEmpty() || namespace.equals(SecurityName.WSU));
    }

    /// The id that `reference`, such as `#body`, names.
    Optional<Attr> at(String reference) {
        return reference.startsWith("#") ? Optional.ofNullable(known.get(reference.substring(1))) : Optional.empty();
    }

    /// The id of `element`; an element without one gets a new one.
    ///
    /// @param name that a new one begins with
    /// @throws BadSecurityException when it has one that no reference can name, or one that other readers evaluate
    Attr of(Element element, String name) {
        for (Attr each : ids(element)) {
            if (!isReferable(each)) continue;
            String id = each.getValue();
            boolean plain = NAME.matcher(id).matches() && !id.startsWith("xpointer");
            if (!plain) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
            if (each.isSameNode(known.get(id))) return each;
        }
        int number = taken.size();
        while (!taken.add(name + '-' + number)) number++;
        String id = name + '-' + number;
        if (XmlTrees.namespaceOf(element).equals(SecurityName.XENC)) {
            element.setAttributeNS(null, "Id", id);
            return noted(id, element.getAttributeNode("Id"));
        }
        String prefix = SecurityName.WSU.equals(element.lookupNamespaceURI("wsu")) ? "wsu" : "wsuid";
        if (!SecurityName.WSU.equals(element.lookupNamespaceURI(prefix))) {
            element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:" + prefix, SecurityName.WSU);
        }
        element.setAttributeNS(SecurityName.WSU, prefix + ":Id", id);
        return noted(id, element.getAttributeNodeNS(SecurityName.WSU, "Id"));
    }

    private Attr noted(String id, Attr added) {
        known.put(id, added);
        return added;
    }
}
