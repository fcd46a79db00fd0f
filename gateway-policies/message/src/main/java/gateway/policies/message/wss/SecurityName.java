package gateway.policies.message.wss;

import gateway.policies.message.xml.XmlTrees;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// The name of an element of WS-Security, XML Signature or XML Encryption, and looking for such ones: among the
/// children of one element, never in a whole document, so that nobody finds another than the one that was meant.
///
/// @param prefix that it is written with
record SecurityName(String namespace, String prefix, String local) {
    private static final String OASIS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
    static final String WSSE = OASIS + "wssecurity-secext-1.0.xsd";
    static final String WSU = OASIS + "wssecurity-utility-1.0.xsd";
    static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";

    /// Of values that are Base64.
    static final String BASE64 = OASIS + "soap-message-security-1.0#Base64Binary";

    /// What tokens are told to be.
    static final String X509 = OASIS + "x509-token-profile-1.0#X509v3";

    static final String SUBJECT_KEY = OASIS + "x509-token-profile-1.0#X509SubjectKeyIdentifier";
    static final String THUMBPRINT =
            "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1";
    static final String PASSWORD_TEXT = OASIS + "username-token-profile-1.0#PasswordText";
    static final String PASSWORD_DIGEST = OASIS + "username-token-profile-1.0#PasswordDigest";

    static final SecurityName SECURITY = wsse("Security");
    static final SecurityName USERNAME_TOKEN = wsse("UsernameToken");
    static final SecurityName BINARY_TOKEN = wsse("BinarySecurityToken");
    static final SecurityName TOKEN_REFERENCE = wsse("SecurityTokenReference");
    static final SecurityName TIMESTAMP = wsu("Timestamp");
    static final SecurityName CREATED = wsu("Created");
    static final SecurityName SIGNATURE = dsig("Signature");
    static final SecurityName KEY_INFO = dsig("KeyInfo");

    static SecurityName wsse(String local) {
        return new SecurityName(WSSE, "wsse", local);
    }

    static SecurityName wsu(String local) {
        return new SecurityName(WSU, "wsu", local);
    }

    static SecurityName dsig(String local) {
        return new SecurityName(DSIG, "ds", local);
    }

    static SecurityName xenc(String local) {
        return new SecurityName(XENC, "xenc", local);
    }

    boolean is(@Nullable Node node) {
        return node instanceof Element element && XmlTrees.is(element, namespace, local);
    }

    List<Element> allIn(Element parent) {
        return XmlTrees.children(parent, namespace, local);
    }

    /// The one among the children of `parent`.
    ///
    /// @throws BadSecurityException when there are several
    Optional<Element> in(Element parent) {
        List<Element> found = allIn(parent);
        if (found.size() > 1) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        return found.stream().findFirst();
    }

    /// The same, and there has to be one.
    ///
    /// @param otherwise what is wrong without
    Element onlyIn(Element parent, SecurityFlaw otherwise) {
        return in(parent).orElseThrow(() -> new BadSecurityException(otherwise));
    }

    /// A new one behind the children of `parent`, its prefix declared.
    Element addedTo(Element parent) {
        Element added = madeFor(parent);
        parent.appendChild(added);
        return added;
    }

    Element madeFor(Element near) {
        Element made = near.getOwnerDocument().createElementNS(namespace, prefix + ':' + local);
        made.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:" + prefix, namespace);
        return made;
    }

    /// The text in `element`, which has nothing else in it.
    ///
    /// @throws BadSecurityException when it has
    static String text(Element element) {
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each.getNodeType() != Node.TEXT_NODE) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        }
        return element.getTextContent().strip();
    }
}
