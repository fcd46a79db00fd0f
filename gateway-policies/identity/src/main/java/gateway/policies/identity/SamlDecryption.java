package gateway.policies.identity;

import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.PemReader;
import gateway.policy.Services;
import gateway.service.SecretReference;
import gateway.xml.BadXmlException;
import gateway.xml.Namespaces;
import gateway.xml.XmlFragment;
import java.security.PrivateKey;
import java.security.interfaces.RSAKey;
import java.util.List;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// Opens assertions that are encrypted for the gateway. What was in one is parsed by the gateway's one reader, in its
/// bounds, is not opened again, and is worth no more than if it had stood there in the clear.
record SamlDecryption(PrivateKey key) {
    private static final int LEAST_BITS = 2_048;

    /// @throws InvalidConfigException when the secret is no such key, without being told
    static SamlDecryption of(SecretReference secret, Services services) {
        return PemReader.privateKey(services.secret(secret).reveal())
                .filter(each -> each instanceof RSAKey rsa && rsa.getModulus().bitLength() >= LEAST_BITS)
                .map(each -> new SamlDecryption(Cryptography.ofProcess().ready(PrivateKey.class, each)))
                .orElseThrow(() -> new InvalidConfigException(
                        "/decrypt", "expected a private key for RSA from 2,048 bits in PEM (PKCS #8)"));
    }

    /// The same message with the assertion in the clear, and without the signature of a response around it, which was
    /// over what was encrypted.
    ///
    /// @param signed whether somebody who may has signed what is encrypted
    /// @throws BadAssertionException when it cannot be opened, or is no assertion
    SamlMessage opened(SamlMessage message, boolean signed) {
        SamlMessage copy = message.copy();
        EncryptedAssertion encrypted = EncryptedAssertion.read(copy.assertion());
        if (!signed && !encrypted.isGuarded()) throw new BadAssertionException(AssertionFlaw.ALGORITHM);
        Element place = copy.assertion();
        Element plain = assertion(encrypted.opened(key), encrypted.data());
        for (Element each : SamlElement.SIGNATURE.allIn(copy.outer()))
            copy.outer().removeChild(each);
        Document document = copy.document();
        place.getParentNode().replaceChild(document.importNode(plain, true), place);
        SamlMessage opened = SamlMessage.of(document);
        if (opened.isEncrypted()) throw new BadAssertionException(AssertionFlaw.DECRYPTION);
        return opened;
    }

    private static Element assertion(byte[] plain, Element place) {
        try {
            List<Element> found = SamlElement.children(XmlFragment.read(plain, place));
            if (found.size() == 1 && SamlElement.ASSERTION.is(found.getFirst())) {
                Namespaces.declareIn(found.getFirst()); // which what it replaces may have done
                return found.getFirst();
            }
        } catch (BadXmlException e) {
            // told below, as anything else that is no assertion
        }
        throw new BadAssertionException(AssertionFlaw.DECRYPTION);
    }

    @Override
    public String toString() {
        return "a key for RSA";
    }
}
