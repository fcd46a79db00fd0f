package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.policies.message.xml.XmlTrees;
import gateway.xml.BadXmlException;
import gateway.xml.XmlFragment;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/// Opens messages, or parts of them, with a key of ours. What was in them is parsed by the gateway's one reader, in its
/// bounds, and is not opened again.
record SoapDecryption(SoapDecryptStep step, SoapKey key, SecurityPlace place) implements SecurityAction {
    @Override
    public void apply(SoapMessage message, Exchange exchange) {
        for (MessagePart each : step.parts()) open(message, each);
        for (Element each : EncryptedContent.keys(message.requiredSecurity())) {
            each.getParentNode().removeChild(each);
        }
        message.replaced();
    }

    private void open(SoapMessage message, MessagePart part) {
        Optional<Element> closed = part.in(message)
                .filter(each -> !hasText(each)) // which anybody could have put there
                .map(XmlTrees::children)
                .flatMap(SoapDecryption::onlyOne);
        if (closed.isEmpty() || !EncryptedContent.is(closed.get())) {
            throw new BadSecurityException(SecurityFlaw.ENCRYPTION);
        }
        EncryptedContent content = EncryptedContent.read(closed.get(), message);
        byte[] plain = place.work().on(true, message.bytes(), () -> content.opened(key));
        replace(content, tree(plain, closed.get()));
    }

    private static boolean hasText(Element element) {
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Text text && !text.getData().isBlank()) return true;
        }
        return false;
    }

    private static Optional<Element> onlyOne(List<Element> elements) {
        return elements.size() == 1 ? Optional.of(elements.getFirst()) : Optional.empty();
    }

    /// @return an element around what is in `plain`, with the namespaces that `place` has
    private static Element tree(byte[] plain, Element place) {
        try {
            return XmlFragment.read(plain, place);
        } catch (BadXmlException e) {
            throw new BadSecurityException(SecurityFlaw.ENCRYPTION);
        }
    }

    private static void replace(EncryptedContent content, Element opened) {
        boolean fits =
                !content.wholeElement() || onlyOne(XmlTrees.children(opened)).isPresent();
        if (!fits) throw new BadSecurityException(SecurityFlaw.ENCRYPTION);
        Element data = content.data();
        Document document = data.getOwnerDocument();
        Node parent = data.getParentNode();
        for (Node each = opened.getFirstChild(); each != null; each = each.getNextSibling()) {
            parent.insertBefore(document.importNode(each, true), data);
        }
        parent.removeChild(data);
    }
}
