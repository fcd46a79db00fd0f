package gateway.policies.identity;

import gateway.xml.BadXmlException;
import gateway.xml.Namespaces;
import gateway.xml.Xml;
import gateway.xml.XmlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/// What a caller has sent, parsed, with the one assertion in it where it may stand. Nothing of it is to be believed
/// until its signature is verified ([AssertionSignature]).
///
/// @param outer the response around the assertion, or the assertion itself
/// @param assertion in the clear, or encrypted ([SamlDecryption])
record SamlMessage(Document document, Element outer, Element assertion) {
    private static final String SECURITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

    private static final SamlElement HEADER_OF_SECURITY = new SamlElement(SECURITY, "Security");

    /// A response, or an assertion without one.
    ///
    /// @throws BadAssertionException when it is none
    static SamlMessage read(byte[] xml) {
        return ofDocument(parsed(xml));
    }

    private static SamlMessage ofDocument(Document document) {
        Element assertion = onlyAssertion(document);
        Element root = document.getDocumentElement();
        boolean alone = assertion.isSameNode(root);
        boolean inResponse = SamlElement.RESPONSE.is(root) && root.isSameNode(assertion.getParentNode());
        if (!alone && !inResponse) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        refuseComments(document);
        refuseDoubleIds(document, null);
        return new SamlMessage(document, root, assertion);
    }

    /// An assertion in the `Security` header of a SOAP message (WS-Security SAML Token Profile 1.1.1 §3).
    ///
    /// @throws BadAssertionException when there is none
    static SamlMessage ofEnvelope(Document document) {
        Element assertion = onlyAssertion(document);
        Element root = document.getDocumentElement();
        String soap = root.getNamespaceURI();
        if (soap == null
                || SoapVersion.of(soap).isEmpty()
                || !root.getLocalName().equals("Envelope")) {
            throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        }
        Element header = new SamlElement(soap, "Header").onlyIn(root, AssertionFlaw.STRUCTURE);
        Element body = new SamlElement(soap, "Body").onlyIn(root, AssertionFlaw.STRUCTURE);
        Node security = assertion.getParentNode();
        if (!HEADER_OF_SECURITY.is(security) || !header.isSameNode(security.getParentNode())) {
            throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        }
        refuseComments(assertion);
        refuseDoubleIds(document, body);
        return new SamlMessage(document, assertion, assertion);
    }

    /// The assertion with its signature, as XML that needs nothing of what stood around it. Nobody has signed what its
    /// `KeyInfo` says: of that only certificates of `signers` stay.
    byte[] standalone(List<SamlSigner> signers) {
        Element alone = (Element) assertion.cloneNode(true);
        for (Element signature : SamlElement.SIGNATURE.allIn(alone)) {
            for (Element info : SamlElement.dsig("KeyInfo").allIn(signature)) {
                keepCertificates(info, signers);
                if (SamlElement.children(info).isEmpty()) signature.removeChild(info);
            }
        }
        return written(alone, assertion);
    }

    /// `element` in the same way, as it is.
    static byte[] standalone(Element element) {
        return written((Element) element.cloneNode(true), element);
    }

    private static byte[] written(Element alone, Element place) {
        Namespaces.declareIn(alone, place);
        Element holder = alone.getOwnerDocument().createElementNS(null, "holder");
        holder.appendChild(alone);
        return XmlText.content(holder);
    }

    private static void keepCertificates(Element info, List<SamlSigner> signers) {
        for (Element data : SamlElement.children(info)) {
            for (Element each : SamlElement.children(data)) {
                if (!AssertionSignature.isCertificateOf(each, signers)) data.removeChild(each);
            }
            if (SamlElement.children(data).isEmpty()) info.removeChild(data);
        }
    }

    /// Either of these.
    static SamlMessage of(Document document) {
        boolean envelope = "Envelope".equals(document.getDocumentElement().getLocalName());
        return envelope ? ofEnvelope(document) : ofDocument(document);
    }

    /// The same in a tree of its own.
    SamlMessage copy() {
        return of((Document) document.cloneNode(true));
    }

    boolean isEncrypted() {
        return SamlElement.ENCRYPTED.is(assertion);
    }

    /// Whether the response around the assertion has a signature, good or not.
    boolean isSignedAround() {
        return SamlElement.RESPONSE.is(outer)
                && !SamlElement.SIGNATURE.allIn(outer).isEmpty();
    }

    /// Whether an assertion stands anywhere in `document`.
    static boolean isIn(Document document) {
        for (Element each : elements(document)) {
            if (SamlElement.ASSERTION.is(each) || SamlElement.ENCRYPTED.is(each)) return true;
        }
        return false;
    }

    private static Document parsed(byte[] xml) {
        try {
            return Xml.document(xml);
        } catch (BadXmlException e) {
            throw new BadAssertionException(AssertionFlaw.MALFORMED);
        }
    }

    private static Element onlyAssertion(Document document) {
        var found = new ArrayList<Element>();
        for (Element each : elements(document)) {
            if (SamlElement.ASSERTION.is(each) || SamlElement.ENCRYPTED.is(each)) found.add(each);
        }
        if (found.size() != 1) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        return found.getFirst();
    }

    /// Two readers of `admin<!---->.evil` may read two names.
    private static void refuseComments(Node node) {
        short type = node.getNodeType();
        if (type == Node.COMMENT_NODE || type == Node.PROCESSING_INSTRUCTION_NODE) {
            throw new BadAssertionException(AssertionFlaw.COMMENT);
        }
        for (Node each = node.getFirstChild(); each != null; each = each.getNextSibling()) refuseComments(each);
    }

    /// An id that two elements have is that of one to one reader and of the other to another. However it is written
    /// it counts: `ID`, `Id`, `xml:id`.
    ///
    /// @param payload whose own ids are nobody's business, as long as they are no others'
    private static void refuseDoubleIds(Document document, @Nullable Element payload) {
        Set<String> known = new HashSet<>();
        Set<String> inPayload = new HashSet<>();
        for (Element each : elements(document)) {
            if (payload != null && isInside(each, payload)) inPayload.addAll(ids(each));
            else if (!addNew(ids(each), known)) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
        }
        known.retainAll(inPayload);
        if (!known.isEmpty()) throw new BadAssertionException(AssertionFlaw.STRUCTURE);
    }

    private static boolean addNew(List<String> ids, Set<String> to) {
        for (String each : ids) if (!to.add(each)) return false;
        return true;
    }

    private static boolean isInside(Element element, Element payload) {
        for (Node each = element.getParentNode(); each != null; each = each.getParentNode()) {
            if (each.isSameNode(payload)) return true;
        }
        return false;
    }

    private static List<String> ids(Element element) {
        NamedNodeMap attributes = element.getAttributes();
        var found = new ArrayList<String>(1);
        for (int i = 0; i < attributes.getLength(); i++) {
            var each = (Attr) attributes.item(i);
            boolean declares = XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI());
            if (!declares && each.getLocalName().equalsIgnoreCase("id"))
                found.add(each.getValue().strip());
        }
        return found;
    }

    /// All elements of `document`, in its order.
    private static List<Element> elements(Document document) {
        var found = new ArrayList<Element>();
        add(document.getDocumentElement(), found);
        return found;
    }

    private static void add(Element element, List<Element> to) {
        to.add(element);
        for (Element each : SamlElement.children(element)) add(each, to);
    }
}
