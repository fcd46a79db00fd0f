package gateway.policies.message.wss;

import gateway.policies.cryptography.KeyTransport;
import gateway.policies.message.xml.XmlTrees;
import java.util.Optional;
import org.w3c.dom.Element;

/// How messages say by what the key of a content goes to its recipient.
final class TransportMethod {
    private static final SecurityName MASK = new SecurityName(SecurityName.XENC11, "xenc11", "MGF");

    private TransportMethod() {}

    /// What definitions may say.
    enum Word {
        RSA_OAEP,
        RSA_OAEP_SHA256;

        KeyTransport transport() {
            return this == RSA_OAEP ? KeyTransport.OLD : KeyTransport.SHA256;
        }
    }

    /// @param method as a message says it
    /// @throws BadSecurityException when it is another one
    static KeyTransport read(Element method) {
        Optional<Element> digest = SecurityName.dsig("DigestMethod").in(method);
        Optional<Element> mask = MASK.in(method);
        int known = (digest.isPresent() ? 1 : 0) + (mask.isPresent() ? 1 : 0);
        if (XmlTrees.children(method).size() != known) throw bad(); // OAEPparams, which nobody uses
        return KeyTransport.called(
                        algorithm(method), digest.map(TransportMethod::algorithm), mask.map(TransportMethod::algorithm))
                .orElseThrow(TransportMethod::bad);
    }

    private static String algorithm(Element method) {
        return method.getAttributeNS(null, "Algorithm");
    }

    private static BadSecurityException bad() {
        return new BadSecurityException(SecurityFlaw.ALGORITHM);
    }

    /// Says below `key` which it is: one that definitions may say.
    static void write(KeyTransport transport, Element key) {
        boolean old = transport.equals(KeyTransport.OLD);
        Element method = SecurityName.xenc("EncryptionMethod").addedTo(key);
        method.setAttributeNS(
                null, "Algorithm", old ? SecurityName.XENC + "rsa-oaep-mgf1p" : SecurityName.XENC11 + "rsa-oaep");
        SecurityName.dsig("DigestMethod")
                .addedTo(method)
                .setAttributeNS(null, "Algorithm", old ? SecurityName.DSIG + "sha1" : SecurityName.XENC + "sha256");
        if (!old) MASK.addedTo(method).setAttributeNS(null, "Algorithm", SecurityName.XENC11 + "mgf1sha256");
    }
}
