package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.policies.cryptography.KeyTransport;
import gateway.policies.message.xml.XmlTrees;
import gateway.xml.Namespaces;
import gateway.xml.XmlText;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKey;
import org.w3c.dom.Element;

/// Encrypts the content of parts of messages for a recipient, with a new key for each message. A part that is not there
/// is not encrypted.
record SoapEncryption(SoapEncryptStep step, X509Certificate recipient, SecurityPlace place) implements SecurityAction {
    @Override
    public void apply(SoapMessage message, Exchange exchange) {
        Element security = message.securityToWrite(place.mustUnderstand());
        List<Element> parts = new ArrayList<>();
        for (MessagePart each : step.parts()) each.in(message).ifPresent(parts::add);
        place.work().on(false, message.bytes(), () -> {
            close(message, security, parts);
            return parts;
        });
    }

    private void close(SoapMessage message, Element security, List<Element> parts) {
        SecretKey content = step.algorithm().newKey();
        Element key = SecurityName.xenc("EncryptedKey").madeFor(security);
        SoapMessage.insert(security, key);
        KeyTransport transport = step.keyTransport().transport();
        TransportMethod.write(transport, key);
        step.keyIdentifier().addedTo(SecurityName.KEY_INFO.addedTo(key), recipient, security, message);
        writeValue(key, transport.closed(content, recipient.getPublicKey()));
        Element list = SecurityName.xenc("ReferenceList").addedTo(key);
        String keyId = message.idOf(key, "EncryptedKey").getValue();
        for (Element each : parts) {
            Element data = closed(each, content, keyId);
            SecurityName.xenc("DataReference")
                    .addedTo(list)
                    .setAttributeNS(
                            null,
                            "URI",
                            '#' + message.idOf(data, "EncryptedData").getValue());
        }
    }

    /// What stands in the place of the content of `part`.
    private Element closed(Element part, SecretKey key, String keyId) {
        for (Element each : XmlTrees.children(part)) Namespaces.declareIn(each);
        byte[] plain = XmlText.content(part);
        while (part.getFirstChild() != null) part.removeChild(part.getFirstChild());
        Element data = SecurityName.xenc("EncryptedData").addedTo(part);
        data.setAttributeNS(null, "Type", SecurityName.XENC + "Content");
        SecurityName.xenc("EncryptionMethod")
                .addedTo(data)
                .setAttributeNS(null, "Algorithm", step.algorithm().uri());
        Element named = SecurityName.TOKEN_REFERENCE.addedTo(SecurityName.KEY_INFO.addedTo(data));
        SecurityName.wsse("Reference").addedTo(named).setAttributeNS(null, "URI", '#' + keyId);
        writeValue(data, step.algorithm().closed(plain, key));
        return data;
    }

    private static void writeValue(Element parent, byte[] value) {
        Element data = SecurityName.xenc("CipherData").addedTo(parent);
        SecurityName.xenc("CipherValue")
                .addedTo(data)
                .setTextContent(Base64.getEncoder().encodeToString(value));
    }
}
