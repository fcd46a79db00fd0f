package gateway.policies.cryptography;

import java.security.PublicKey;
import java.util.List;
import javax.xml.crypto.MarshalException;
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
        context.setProperty("javax.xml.crypto.dsig.cacheReference", true);
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
        Cryptography.ofProcess()
                .provider()
                .ifPresent(
                        provider -> context.setProperty("org.jcp.xml.dsig.internal.dom.SignatureProvider", provider));
        for (Attr each : ids) {
            context.setIdAttributeNS(each.getOwnerElement(), each.getNamespaceURI(), each.getLocalName());
        }
    }
}
