package gateway.policies.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.MGF1ParameterSpec;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts assertions with the JDK alone, in ways that are taken and in others.
///
/// @param content algorithm of the assertion, a URI
/// @param transport the `EncryptionMethod` of its key
/// @param padding of RSA, as Java calls it
/// @param digest of OAEP
/// @param keyBytes of the content's key
record SamlSeal(String content, String transport, String padding, String digest, int keyBytes) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    private static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    private static final String OLD_OAEP = "<e:EncryptionMethod Algorithm=\"" + XENC + "rsa-oaep-mgf1p\"/>";
    private static final String NEW_OAEP = "<e:EncryptionMethod Algorithm=\"" + XENC11 + "rsa-oaep\">"
            + "<d:DigestMethod Algorithm=\"" + XENC + "sha256\"/><m:MGF xmlns:m=\"" + XENC11 + "\" Algorithm=\""
            + XENC11 + "mgf1sha256\"/></e:EncryptionMethod>";

    static SamlSeal gcm(int bits) {
        return new SamlSeal(XENC11 + "aes" + bits + "-gcm", OLD_OAEP, "OAEPPadding", "SHA-1", bits / 8);
    }

    static SamlSeal cbc(int bits) {
        return new SamlSeal(XENC + "aes" + bits + "-cbc", OLD_OAEP, "OAEPPadding", "SHA-1", bits / 8);
    }

    SamlSeal bySha256() {
        return new SamlSeal(content, NEW_OAEP, padding, "SHA-256", keyBytes);
    }

    SamlSeal byRsa15() {
        String method = "<e:EncryptionMethod Algorithm=\"" + XENC + "rsa-1_5\"/>";
        return new SamlSeal(content, method, "PKCS1Padding", digest, keyBytes);
    }

    /// With what would be by another cipher under the name of this one.
    SamlSeal called(String uri) {
        return new SamlSeal(uri, transport, padding, digest, keyBytes);
    }

    /// @param inKeyInfo whether the key stands there, or beside what it opens
    String closed(String plain, PublicKey recipient, boolean inKeyInfo) {
        var bytes = new byte[keyBytes];
        RANDOM.nextBytes(bytes);
        String key = "<e:EncryptedKey xmlns:e=\"" + XENC + "\" xmlns:d=\"http://www.w3.org/2000/09/xmldsig#\">"
                + transport + value(wrapped(bytes, recipient)) + "</e:EncryptedKey>";
        return "<saml:EncryptedAssertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"><e:EncryptedData xmlns:e=\""
                + XENC + "\" Type=\"" + XENC + "Element\"><e:EncryptionMethod Algorithm=\"" + content + "\"/>"
                + (inKeyInfo ? "<d:KeyInfo xmlns:d=\"http://www.w3.org/2000/09/xmldsig#\">" + key + "</d:KeyInfo>" : "")
                + value(encrypted(plain.getBytes(StandardCharsets.UTF_8), new SecretKeySpec(bytes, "AES")))
                + "</e:EncryptedData>" + (inKeyInfo ? "" : key) + "</saml:EncryptedAssertion>";
    }

    private static String value(byte[] content) {
        return "<e:CipherData><e:CipherValue>"
                + Base64.getMimeEncoder().encodeToString(content).replace("\r", "") + "</e:CipherValue></e:CipherData>";
    }

    private byte[] wrapped(byte[] key, PublicKey recipient) {
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/" + padding);
            if (padding.equals("PKCS1Padding")) cipher.init(Cipher.ENCRYPT_MODE, recipient);
            else {
                var mask = new MGF1ParameterSpec(digest);
                var terms = new OAEPParameterSpec(digest, "MGF1", mask, PSource.PSpecified.DEFAULT);
                cipher.init(Cipher.ENCRYPT_MODE, recipient, terms);
            }
            return cipher.doFinal(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] encrypted(byte[] plain, Key key) {
        boolean guarded = content.endsWith("-gcm");
        var start = new byte[guarded ? 12 : 16];
        RANDOM.nextBytes(start);
        try {
            Cipher cipher = Cipher.getInstance(guarded ? "AES/GCM/NoPadding" : "AES/CBC/PKCS5Padding");
            cipher.init(
                    Cipher.ENCRYPT_MODE, key, guarded ? new GCMParameterSpec(128, start) : new IvParameterSpec(start));
            byte[] closed = cipher.doFinal(plain);
            var all = new byte[start.length + closed.length];
            System.arraycopy(start, 0, all, 0, start.length);
            System.arraycopy(closed, 0, all, start.length, closed.length);
            return all;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
