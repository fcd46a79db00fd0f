package gateway.policies.message.wss;

import gateway.policies.cryptography.ContentCipher;
import gateway.policies.message.xml.XmlTrees;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/// A content as it is encrypted in a message (XML Encryption 1.1), with the key that goes with it. Nothing of it points
/// elsewhere: what it holds stands in it.
///
/// @param data the element in the place of what was encrypted
/// @param wholeElement whether that was an element, rather than the content of one
record EncryptedContent(Element data, boolean wholeElement, ContentCipher cipher, Element key) {
    private static final SecurityName DATA = SecurityName.xenc("EncryptedData");
    private static final SecurityName KEY = SecurityName.xenc("EncryptedKey");
    private static final Set<String> MEMBERS =
            Set.of("EncryptionMethod", "KeyInfo", "CipherData", "ReferenceList", "CarriedKeyName");

    /// @param data in a message
    /// @throws BadSecurityException when it is of another form
    static EncryptedContent read(Element data, SoapMessage message) {
        requirePlain(data);
        String type = data.getAttributeNS(null, "Type");
        boolean whole = type.equals(SecurityName.XENC + "Element");
        if (!whole && !type.equals(SecurityName.XENC + "Content")) throw bad();
        ContentCipher cipher = ContentCipher.called(method(data).getAttributeNS(null, "Algorithm"))
                .orElseThrow(() -> new BadSecurityException(SecurityFlaw.ALGORITHM));
        Element key = keyWithin(data).orElseGet(() -> keyInHeader(data, message));
        requirePlain(key);
        return new EncryptedContent(data, whole, cipher, key);
    }

    static boolean is(Element element) {
        return DATA.is(element);
    }

    private static Optional<Element> keyWithin(Element data) {
        return SecurityName.KEY_INFO.in(data).flatMap(KEY::in);
    }

    /// The one whose list of references names `data` (SOAP Message Security 1.1 §9.3).
    private static Element keyInHeader(Element data, SoapMessage message) {
        for (Element key : keys(message.requiredSecurity())) {
            Optional<Element> list = SecurityName.xenc("ReferenceList").in(key);
            if (list.isEmpty()) continue;
            for (Element each : XmlTrees.children(list.get())) {
                Attr id = message.referred(each.getAttributeNS(null, "URI"));
                if (data.isSameNode(id.getOwnerElement())) return key;
            }
        }
        throw bad();
    }

    static List<Element> keys(Element security) {
        List<Element> keys = KEY.allIn(security);
        if (keys.size() > 4) throw bad();
        return keys;
    }

    private static Element method(Element element) {
        return SecurityName.xenc("EncryptionMethod").onlyIn(element, SecurityFlaw.ENCRYPTION);
    }

    private static void requirePlain(Element element) {
        for (Element each : XmlTrees.children(element)) if (!MEMBERS.contains(each.getLocalName())) throw bad();
    }

    private static byte[] value(Element element) {
        Element data = SecurityName.xenc("CipherData").onlyIn(element, SecurityFlaw.ENCRYPTION);
        Element value = SecurityName.xenc("CipherValue").onlyIn(data, SecurityFlaw.ENCRYPTION);
        if (XmlTrees.children(data).size() != 1) throw bad(); // a reference to what lies elsewhere
        try {
            return Base64.getMimeDecoder().decode(SecurityName.text(value));
        } catch (IllegalArgumentException e) {
            throw bad(); // no Base64
        }
    }

    /// What was encrypted.
    ///
    /// @throws BadSecurityException when it was changed or is for another key: one flaw for all
    byte[] opened(SoapKey ours) {
        byte[] content = TransportMethod.read(method(key)).opened(value(key), ours.key());
        return cipher.opened(value(data), cipher.key(content)).orElseThrow(EncryptedContent::bad);
    }

    private static BadSecurityException bad() {
        return new BadSecurityException(SecurityFlaw.ENCRYPTION);
    }
}
