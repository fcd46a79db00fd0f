package gateway.policies.identity;

import gateway.policies.cryptography.ContentCipher;
import gateway.policies.cryptography.KeyTransport;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.w3c.dom.Element;

/// An assertion as it is encrypted in a message, with the key that goes with it (SAML 2.0 Core §2.3.4, XML Encryption
/// 1.1). Nothing of it points elsewhere: what it holds stands in it.
record EncryptedAssertion(Element data, Element key) {
    private static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    private static final SamlElement DATA = SamlElement.xenc("EncryptedData");
    private static final SamlElement KEY = SamlElement.xenc("EncryptedKey");
    private static final SamlElement METHOD = SamlElement.xenc("EncryptionMethod");
    private static final SamlElement MASK = new SamlElement(XENC11, "MGF");
    private static final SamlElement DIGEST = SamlElement.dsig("DigestMethod");
    private static final Set<String> MEMBERS =
            Set.of("EncryptionMethod", "KeyInfo", "CipherData", "ReferenceList", "CarriedKeyName");

    /// @param encrypted in a message
    /// @throws BadAssertionException when it is of another form
    static EncryptedAssertion read(Element encrypted) {
        Element data = DATA.onlyIn(encrypted, AssertionFlaw.DECRYPTION);
        String type = data.getAttributeNS(null, "Type");
        if (!type.isEmpty() && !type.equals(SamlElement.XENC + "Element")) throw bad();
        Optional<Element> inside = SamlElement.dsig("KeyInfo").in(data).flatMap(KEY::in);
        Optional<Element> beside = KEY.in(encrypted);
        int members = beside.isPresent() ? 2 : 1;
        boolean oneKey = inside.isPresent() != beside.isPresent();
        if (!oneKey || SamlElement.children(encrypted).size() != members) throw bad();
        Element key = inside.or(() -> beside).orElseThrow();
        requirePlain(data);
        requirePlain(key);
        return new EncryptedAssertion(data, key);
    }

    private static void requirePlain(Element element) {
        for (Element each : SamlElement.children(element)) {
            if (!MEMBERS.contains(each.getLocalName())) throw bad();
        }
    }

    /// Whether a change of what is encrypted is found out.
    boolean isGuarded() {
        return ContentCipher.called(algorithm()).isPresent();
    }

    /// What was encrypted.
    ///
    /// @throws BadAssertionException when it was changed or is for another key: one flaw for all
    byte[] opened(PrivateKey ours) {
        Optional<ContentCipher> guarded = ContentCipher.called(algorithm());
        Optional<CbcCipher> other = CbcCipher.called(algorithm());
        if (guarded.isEmpty() && other.isEmpty()) throw new BadAssertionException(AssertionFlaw.ALGORITHM);
        byte[] content = transport().opened(value(key), ours);
        byte[] closed = value(data);
        return guarded.flatMap(cipher -> cipher.opened(closed, cipher.key(content)))
                .or(() -> other.flatMap(cipher -> cipher.opened(closed, content)))
                .orElseThrow(EncryptedAssertion::bad);
    }

    private String algorithm() {
        return algorithm(METHOD.onlyIn(data, AssertionFlaw.DECRYPTION));
    }

    private KeyTransport transport() {
        Element method = METHOD.onlyIn(key, AssertionFlaw.DECRYPTION);
        Optional<Element> digest = DIGEST.in(method);
        Optional<Element> mask = MASK.in(method);
        int known = (digest.isPresent() ? 1 : 0) + (mask.isPresent() ? 1 : 0);
        if (SamlElement.children(method).size() != known) throw bad(); // OAEPparams, which nobody uses
        return KeyTransport.called(
                        algorithm(method),
                        digest.map(EncryptedAssertion::algorithm),
                        mask.map(EncryptedAssertion::algorithm))
                .orElseThrow(() -> new BadAssertionException(AssertionFlaw.ALGORITHM));
    }

    private static String algorithm(Element method) {
        return method.getAttributeNS(null, "Algorithm");
    }

    private static byte[] value(Element element) {
        Element data = SamlElement.xenc("CipherData").onlyIn(element, AssertionFlaw.DECRYPTION);
        List<Element> values = SamlElement.children(data);
        boolean one = values.size() == 1 && SamlElement.xenc("CipherValue").is(values.getFirst());
        if (!one) throw bad(); // a reference to what lies elsewhere
        try {
            return Base64.getMimeDecoder().decode(SamlElement.text(values.getFirst()));
        } catch (IllegalArgumentException e) {
            throw bad(); // no Base64
        }
    }

    private static BadAssertionException bad() {
        return new BadAssertionException(AssertionFlaw.DECRYPTION);
    }
}
