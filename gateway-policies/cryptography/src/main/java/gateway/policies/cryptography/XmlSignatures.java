package gateway.policies.cryptography;

import java.security.PublicKey;
import java.util.List;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.NodeSetData;
import javax.xml.crypto.dom.DOMCryptoContext;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/// What the JDK does of signatures of XML (XML Signature 1.1), in its secure mode: nothing is fetched, and no element
/// is found by an id but those that are named. The form of a signature is looked at before.
public final class XmlSignatures {
    private XmlSignatures() {}

    /// The references of `signature` when it and each of them hold by `key`; none when not. What was found and digested
    /// is at hand in them.
    ///
    /// @param ids by which elements are found
    public static List<Reference> verified(Element signature, PublicKey key, List<Attr> ids) {
        var context = new DOMValidateContext(key, signature);
        prepare(context, ids);
        try {
            XMLSignature read = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
            return read.validate(context) ? read.getSignedInfo().getReferences() : List.of();
        } catch (MarshalException | XMLSignatureException e) {
            return List.of(); // a signature that is none
        }
    }

    /// Lets `context` find elements by these ids alone, and be served by the cryptography of this process.
    public static void prepare(DOMCryptoContext context, List<Attr> ids) {
        context.setProperty("org.jcp.xml.dsig.secureValidation", true);
        context.setProperty("javax.xml.crypto.dsig.cacheReference", true);
        Cryptography.ofProcess()
                .provider()
                .ifPresent(
                        provider -> context.setProperty("org.jcp.xml.dsig.internal.dom.SignatureProvider", provider));
        for (Attr each : ids) {
            context.setIdAttributeNS(each.getOwnerElement(), each.getNamespaceURI(), each.getLocalName());
        }
    }

    /// Whether what these digested is the very elements with these ids, in their order.
    public static boolean areOf(List<Reference> references, List<Attr> ids) {
        if (references.size() != ids.size()) return false;
        for (int i = 0; i < references.size(); i++) {
            boolean same = references.get(i).getDereferencedData() instanceof NodeSetData<?> found
                    && isOf(found, ids.get(i).getOwnerElement());
            if (!same) return false;
        }
        return true;
    }

    /// Whether `found` is all of this very element: it comes before what is in it, and behind its attributes.
    private static boolean isOf(NodeSetData<?> found, Element target) {
        for (Object each : found) if (each instanceof Element first) return first.isSameNode(target);
        return false;
    }
}
