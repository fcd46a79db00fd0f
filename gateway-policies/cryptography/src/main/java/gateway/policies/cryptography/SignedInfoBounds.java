package gateway.policies.cryptography;

import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/// How much a signature of XML may bring that is worked on before its key is known: the `SignedInfo` is canonicalized
/// first, and each list of prefixes (Exclusive XML Canonicalization 1.0 §3) is made anew for every element in it.
public final class SignedInfoBounds {
    private static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
    private static final int MOST_NODES = 512;
    private static final int MOST_ELEMENTS = 192;
    private static final int MOST_CHARACTERS = 16 * 1024;
    private static final int MOST_PREFIXES = 32;
    private static final int MOST_PREFIX_CHARACTERS = 1024;

    private int nodes;
    private int elements;
    private int characters;

    private SignedInfoBounds() {}

    /// Whether `method`, a transform or the way that `SignedInfo` is written, is exclusive canonicalization with
    /// at most one short list of prefixes.
    public static boolean isExclusive(Element method) {
        if (!method.getAttributeNS(null, "Algorithm").equals(EXCLUSIVE)) return false;
        boolean seen = false;
        for (Node each = method.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (!(each instanceof Element list)) continue;
            if (seen || !isShort(list)) return false;
            seen = true;
        }
        return true;
    }

    private static boolean isShort(Element list) {
        boolean named = EXCLUSIVE.equals(list.getNamespaceURI()) && "InclusiveNamespaces".equals(list.getLocalName());
        String prefixes = list.getAttributeNS(null, "PrefixList");
        return named
                && !list.hasChildNodes()
                && prefixes.length() <= MOST_PREFIX_CHARACTERS
                && prefixes.strip().split("\\s+", MOST_PREFIXES + 1).length <= MOST_PREFIXES;
    }

    /// Whether `signed`, a `SignedInfo`, is no larger than one with the most references that are taken.
    public static boolean holds(Element signed) {
        return new SignedInfoBounds().takes(signed);
    }

    private boolean takes(Element element) {
        NamedNodeMap attributes = element.getAttributes();
        nodes += attributes.getLength();
        if (++elements > MOST_ELEMENTS || nodes > MOST_NODES) return false;
        for (int i = 0; i < attributes.getLength(); i++) count(attributes.item(i));
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (++nodes > MOST_NODES || characters > MOST_CHARACTERS) return false;
            if (each instanceof Element below) {
                if (!takes(below)) return false;
            } else {
                count(each);
            }
        }
        return characters <= MOST_CHARACTERS;
    }

    private void count(Node text) {
        String value = text.getNodeValue();
        characters += value == null ? 0 : value.length();
    }
}
