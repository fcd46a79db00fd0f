package gateway.policies.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// The name of an element that SAML messages are made of, and looking for such ones. Each is looked for among the
/// children of one element, never in a whole document: so nobody finds another than the one that was meant.
///
/// @param namespace of it
/// @param name without a prefix
record SamlElement(String namespace, String name) {
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";

    private static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
    private static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
    private static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";

    static final SamlElement ASSERTION = saml("Assertion");
    static final SamlElement ENCRYPTED = saml("EncryptedAssertion");
    static final SamlElement RESPONSE = protocol("Response");
    static final SamlElement SIGNATURE = dsig("Signature");

    static SamlElement saml(String name) {
        return new SamlElement(SAML, name);
    }

    static SamlElement protocol(String name) {
        return new SamlElement(PROTOCOL, name);
    }

    static SamlElement dsig(String name) {
        return new SamlElement(DSIG, name);
    }

    static SamlElement xenc(String name) {
        return new SamlElement(XENC, name);
    }

    boolean is(@Nullable Node node) {
        return node instanceof Element element
                && name.equals(element.getLocalName())
                && namespace.equals(element.getNamespaceURI());
    }

    /// All of them among the children of `parent`.
    List<Element> allIn(Element parent) {
        var found = new ArrayList<Element>();
        for (Element each : children(parent)) if (is(each)) found.add(each);
        return found;
    }

    /// The one among the children of `parent`.
    ///
    /// @throws BadAssertionException when there are several
    Optional<Element> in(Element parent) {
        List<Element> found = allIn(parent);
        if (found.size() > 1) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        return found.stream().findFirst();
    }

    /// The same, and there has to be one.
    ///
    /// @param otherwise what is wrong without
    Element onlyIn(Element parent, AssertionFlaw otherwise) {
        return in(parent).orElseThrow(() -> new BadAssertionException(otherwise));
    }

    /// All elements right below `parent`.
    static List<Element> children(Element parent) {
        var found = new ArrayList<Element>();
        for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Element element) found.add(element);
        }
        return found;
    }

    /// The text in `element`, which has nothing else in it.
    ///
    /// @throws BadAssertionException when it has
    static String text(Element element) {
        if (!children(element).isEmpty()) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        return element.getTextContent().strip();
    }
}
