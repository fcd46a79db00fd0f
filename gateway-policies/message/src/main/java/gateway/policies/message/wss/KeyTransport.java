package gateway.policies.message.wss;

import gateway.policies.message.xml.XmlTrees;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.w3c.dom.Element;

/// By what the key of a content goes to its recipient: RSA with the padding that tells nothing when it is wrong
/// (XML Encryption 1.1 §5.5.2).
///
/// @param digest as Java calls it
/// @param mask the digest of its mask
record KeyTransport(String digest, String mask) {
    /// As it was before there was a choice of masks. That its digest is SHA-1 harms nobody: nothing depends on whether
    /// two contents have the same.
    static final KeyTransport OLD = new KeyTransport("SHA-1", "SHA-1");

    static final KeyTransport SHA256 = new KeyTransport("SHA-256", "SHA-256");

    private static final String MGF1P = SecurityName.XENC + "rsa-oaep-mgf1p";
    private static final String OAEP = SecurityName.XENC11 + "rsa-oaep";

    /// What definitions may say.
    enum Word {
        RSA_OAEP,
        RSA_OAEP_SHA256;

        KeyTransport transport() {
            return this == RSA_OAEP ? OLD : SHA256;
        }
    }

    /// @param method as a message says it
    /// @throws BadSecurityException when it is another one
    static KeyTransport read(Element method) {
        String algorithm = method.getAttributeNS(null, "Algorithm");
        if (!algorithm.equals(MGF1P) && !algorithm.equals(OAEP)) throw bad();
        Optional<Element> digest = SecurityName.dsig("DigestMethod").in(method);
        Optional<Element> mask = new SecurityName(SecurityName.XENC11, "xenc11", "MGF").in(method);
        int known = (digest.isPresent() ? 1 : 0) + (mask.isPresent() ? 1 : 0);
        if (XmlTrees.children(method).size() != known) throw bad(); // OAEPparams, which nobody uses
        if (algorithm.equals(MGF1P) && mask.isPresent()) throw bad();
        return new KeyTransport(
                digest.map(each -> digest(each.getAttributeNS(null, "Algorithm")))
                        .orElse("SHA-1"),
                mask.map(each -> mask(each.getAttributeNS(null, "Algorithm"))).orElse("SHA-1"));
    }

    private static String digest(String uri) {
        return switch (uri) {
            case SecurityName.DSIG + "sha1" -> "SHA-1";
            case SecurityName.XENC + "sha256" -> "SHA-256";
            case "http://www.w3.org/2001/04/xmldsig-more#sha384" -> "SHA-384";
            case SecurityName.XENC + "sha512" -> "SHA-512";
            default -> throw bad();
        };
    }

    private static String mask(String uri) {
        return switch (uri) {
            case SecurityName.XENC11 + "mgf1sha1" -> "SHA-1";
            case SecurityName.XENC11 + "mgf1sha256" -> "SHA-256";
            case SecurityName.XENC11 + "mgf1sha384" -> "SHA-384";
            case SecurityName.XENC11 + "mgf1sha512" -> "SHA-512";
            default -> throw bad();
        };
    }

    private static BadSecurityException bad() {
        return new BadSecurityException(SecurityFlaw.ALGORITHM);
    }

    /// Says below `key` which it is: one of the two that are named above.
    void writeTo(Element key) {
        Element method = SecurityName.xenc("EncryptionMethod").addedTo(key);
        method.setAttributeNS(null, "Algorithm", equals(OLD) ? MGF1P : OAEP);
        SecurityName.dsig("DigestMethod")
                .addedTo(method)
                .setAttributeNS(
                        null, "Algorithm", equals(OLD) ? SecurityName.DSIG + "sha1" : SecurityName.XENC + "sha256");
        if (equals(OLD)) return;
        new SecurityName(SecurityName.XENC11, "xenc11", "MGF")
                .addedTo(method)
                .setAttributeNS(null, "Algorithm", SecurityName.XENC11 + "mgf1sha256");
    }

    byte[] closed(SecretKey content, PublicKey recipient) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, recipient).doFinal(content.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key for RSA encrypts no more", e);
        }
    }

    /// Nothing when it was changed, or is for somebody else.
    byte[] opened(byte[] closed, PrivateKey ours) {
        try {
            return cipher(Cipher.DECRYPT_MODE, ours).doFinal(closed);
        } catch (GeneralSecurityException e) {
            return new byte[0];
        }
    }

    private Cipher cipher(int mode, Key key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(
                mode,
                key,
                new OAEPParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mask), PSource.PSpecified.DEFAULT));
        return cipher;
    }
}
