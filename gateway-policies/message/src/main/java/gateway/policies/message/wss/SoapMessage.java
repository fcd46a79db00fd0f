package gateway.policies.message.wss;

import gateway.policies.message.xml.Soap;
import gateway.policies.message.xml.XmlTrees;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// A SOAP message while its steps are done: what they look at is the very tree that goes on.
final class SoapMessage {
    /// The role of a block that names none (SOAP 1.2 §2.2).
    private static final String ULTIMATE_RECEIVER = "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver";

    /// Roles of everybody that a message comes to (SOAP 1.1 §4.2.2, SOAP 1.2 §2.2).
    private static final Set<String> NEXT =
            Set.of("http://schemas.xmlsoap.org/soap/actor/next", "http://www.w3.org/2003/05/soap-envelope/role/next");

    private final Document document;
    private final Soap version;
    private final String actor;
    private final Element envelope;
    private final Element body;
    private final long bytes;
    private ElementIds ids;
    private boolean changed;

    private SoapMessage(Document document, Soap version, String actor, Element body, long bytes) {
        this.bytes = bytes;
        this.document = document;
        this.version = version;
        this.actor = actor;
        this.envelope = document.getDocumentElement();
        this.body = body;
        this.ids = ElementIds.of(envelope, body);
    }

    /// @param actor whose `Security` header is meant; empty text: that of nobody in particular
    /// @param bytes that it came in
    /// @throws BadSecurityException when it is none, or could be read in two ways
    static SoapMessage of(Document document, String actor, long bytes) {
        Element envelope = document.getDocumentElement();
        Soap version = Soap.of(XmlTrees.namespaceOf(envelope))
                .filter(_ -> envelope.getLocalName().equals(Soap.ENVELOPE))
                .orElseThrow(() -> new BadSecurityException(SecurityFlaw.STRUCTURE));
        List<Element> children = XmlTrees.children(envelope);
        Element body = children.isEmpty() ? envelope : children.getLast();
        boolean plain = XmlTrees.is(body, version.namespace(), Soap.BODY)
                && (children.size() == 1
                        || (children.size() == 2
                                && XmlTrees.is(children.getFirst(), version.namespace(), Soap.HEADER)));
        if (!plain) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        return new SoapMessage(document, version, actor, body, bytes);
    }

    long bytes() {
        return bytes;
    }

    Document document() {
        return document;
    }

    Element body() {
        return body;
    }

    /// The blocks of its header.
    List<Element> headers() {
        Element first = XmlTrees.children(envelope).getFirst();
        return first.isSameNode(body) ? List.of() : XmlTrees.children(first);
    }

    /// The `Security` header for this actor.
    ///
    /// @throws BadSecurityException when there are several, one for everybody among them
    Optional<Element> security() {
        List<Element> meant = headers().stream()
                .filter(each -> SecurityName.SECURITY.is(each))
                .filter(each -> actorOf(each).equals(actor) || NEXT.contains(actorOf(each)))
                .toList();
        List<Element> found =
                meant.stream().filter(each -> actorOf(each).equals(actor)).toList();
        if (meant.size() > 1) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        return found.stream().findFirst();
    }

    /// @throws BadSecurityException when there is none, or are several
    Element requiredSecurity() {
        return security().orElseThrow(() -> new BadSecurityException(SecurityFlaw.MISSING));
    }

    /// Without the space around it, which is none of a URI (XML Schema Part 2 §3.2.17): it makes no other actor.
    private String actorOf(Element block) {
        if (version == Soap.SOAP11)
            return block.getAttributeNS(version.namespace(), "actor").strip();
        String role = block.getAttributeNS(version.namespace(), "role").strip();
        return role.equals(ULTIMATE_RECEIVER) ? "" : role;
    }

    /// The same; a new one where there is none.
    ///
    /// @param mustUnderstand whether who does not know it has to refuse the message
    Element securityToWrite(boolean mustUnderstand) {
        changed = true;
        Optional<Element> found = security();
        if (found.isPresent()) return found.get();
        String prefix = envelope.getPrefix() == null ? "" : envelope.getPrefix() + ':';
        Element first = XmlTrees.children(envelope).getFirst();
        boolean bare = first.isSameNode(body);
        Element header = bare ? document.createElementNS(version.namespace(), prefix + Soap.HEADER) : first;
        if (bare) envelope.insertBefore(header, body);
        Element security = SecurityName.SECURITY.madeFor(header);
        header.insertBefore(security, header.getFirstChild());
        String own = prefix.isEmpty() ? "soap:" : prefix; // attributes are in no default namespace
        if (prefix.isEmpty()) {
            security.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:soap", version.namespace());
        }
        if (mustUnderstand) security.setAttributeNS(version.namespace(), own + "mustUnderstand", "1");
        String name = version == Soap.SOAP11 ? "actor" : "role";
        if (!actor.isEmpty()) security.setAttributeNS(version.namespace(), own + name, actor);
        return security;
    }

    /// Puts `made` before what was done to the message earlier, since who reads it undoes the last first (SOAP Message
    /// Security 1.1 §5), and behind tokens and times.
    static void insert(Element security, Element made) {
        Optional<Element> before = lastDone(security);
        if (before.isPresent()) security.insertBefore(made, before.get());
        else security.appendChild(made);
    }

    /// What was done to the message last.
    static Optional<Element> lastDone(Element security) {
        return XmlTrees.children(security).stream()
                .filter(each -> !SecurityName.TIMESTAMP.is(each)
                        && !SecurityName.USERNAME_TOKEN.is(each)
                        && !SecurityName.BINARY_TOKEN.is(each))
                .findFirst();
    }

    /// Takes the `Security` header out, and a header with nothing else in it.
    void removeSecurity() {
        Optional<Element> security = security();
        if (security.isEmpty()) return;
        Node header = security.get().getParentNode();
        header.removeChild(security.get());
        if (headers().isEmpty()) envelope.removeChild(header);
        changed = true;
    }

    /// The id that a reference of a signature or encryption names.
    ///
    /// @throws BadSecurityException when there is none here, or several are
    Attr referred(String reference) {
        return ids.at(reference).orElseThrow(() -> new BadSecurityException(SecurityFlaw.STRUCTURE));
    }

    /// The id of `element`, which gets one where it has none.
    Attr idOf(Element element, String name) {
        return ids.of(element, name);
    }

    /// Parts of the tree are others than before: ids are looked at anew.
    ///
    /// @throws BadSecurityException when one is there twice
    void replaced() {
        changed = true;
        ids = ElementIds.of(envelope, body);
    }

    boolean isChanged() {
        return changed;
    }
}
