package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.policies.cryptography.XmlSignatures;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dom.DOMStructure;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.SignedInfo;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfo;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/// Signs messages with a key of ours. A part that is not there is not signed, but for the body.
record SoapSigning(SoapSignStep step, SoapKey key, SecurityPlace place) implements SecurityAction {
    @Override
    public void apply(SoapMessage message, Exchange exchange) {
        Element security = message.securityToWrite(place.mustUnderstand());
        List<Attr> ids = new ArrayList<>();
        for (MessagePart each : step.parts()) {
            each.in(message).ifPresent(part -> ids.add(message.idOf(part, part.getLocalName())));
        }
        place.work().on(true, message.bytes(), () -> {
            sign(message, security, ids);
            return ids;
        });
    }

    private void sign(SoapMessage message, Element security, List<Attr> ids) {
        Element made = SecurityName.KEY_INFO.madeFor(security);
        Element named = step.keyIdentifier().addedTo(made, key.certificate(), security, message);
        XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");
        try {
            KeyInfo info = factory.getKeyInfoFactory().newKeyInfo(List.of(new DOMStructure(named)));
            var context = new DOMSignContext(key.key(), security);
            SoapMessage.lastDone(security).ifPresent(context::setNextSibling);
            context.setDefaultNamespacePrefix(SecurityName.SIGNATURE.prefix());
            XmlSignatures.prepare(context, ids);
            XMLSignature signature = factory.newXMLSignature(signedInfo(factory, ids), info);
            signature.sign(context);
            if (!XmlSignatures.areOf(references(signature), ids))
                throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        } catch (MarshalException | XMLSignatureException | GeneralSecurityException e) {
            throw new IllegalStateException("a key that fits signs no more", e);
        }
        Element added = SecurityName.SIGNATURE.allIn(security).getFirst();
        Element value = SecurityName.dsig("SignatureValue").onlyIn(added, SecurityFlaw.STRUCTURE);
        value.setTextContent(value.getTextContent().replaceAll("\\s", "")); // the JDK's line ends
    }

    private static List<Reference> references(XMLSignature signature) {
        return signature.getSignedInfo().getReferences();
    }

    private SignedInfo signedInfo(XMLSignatureFactory factory, List<Attr> ids) throws GeneralSecurityException {
        var references = new ArrayList<Reference>();
        for (Attr each : ids) {
            references.add(factory.newReference(
                    '#' + each.getValue(),
                    factory.newDigestMethod(DigestMethod.SHA256, null),
                    List.of(factory.newTransform(SoapSignatureForm.EXCLUSIVE, (TransformParameterSpec) null)),
                    null,
                    null));
        }
        return factory.newSignedInfo(
                factory.newCanonicalizationMethod(SoapSignatureForm.EXCLUSIVE, (C14NMethodParameterSpec) null),
                factory.newSignatureMethod(step.algorithm().uri(), null),
                references);
    }
}
