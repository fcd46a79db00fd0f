package gateway.policies.cryptography;

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

/// By what the key of a content goes to its recipient: RSA with the padding that tells nothing when it is wrong
/// (XML Encryption 1.1 §5.5.2, RFC 7518 §4.3).
///
/// @param digest as Java calls it
/// @param mask the digest of its mask
public record KeyTransport(String digest, String mask) {
    /// As it was before there was a choice of masks. That its digest is SHA-1 harms nobody: nothing depends on whether
    /// two contents have the same.
    public static final KeyTransport OLD = new KeyTransport("SHA-1", "SHA-1");

    public static final KeyTransport SHA256 = new KeyTransport("SHA-256", "SHA-256");

    public static final KeyTransport SHA384 = new KeyTransport("SHA-384", "SHA-384");

    public static final KeyTransport SHA512 = new KeyTransport("SHA-512", "SHA-512");

    private static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    private static final String XENC11 = "http://www.w3.org/2009/xmlenc11#";
    private static final String MGF1P = XENC + "rsa-oaep-mgf1p";
    private static final String OAEP = XENC11 + "rsa-oaep";

    /// As a message names it; empty when it is another one.
    ///
    /// @param digest empty: it names none
    /// @param mask likewise
    public static Optional<KeyTransport> called(String algorithm, Optional<String> digest, Optional<String> mask) {
        boolean known = algorithm.equals(OAEP) || (algorithm.equals(MGF1P) && mask.isEmpty());
        String digested = digest.map(KeyTransport::digest).orElse("SHA-1");
        String masked = mask.map(KeyTransport::mask).orElse("SHA-1");
        if (!known || digested.isEmpty() || masked.isEmpty()) return Optional.empty();
        return Optional.of(new KeyTransport(digested, masked));
    }

    private static String digest(String uri) {
        return switch (uri) {
            case "http://www.w3.org/2000/09/xmldsig#sha1" -> "SHA-1";
            case XENC + "sha256" -> "SHA-256";
            case "http://www.w3.org/2001/04/xmldsig-more#sha384" -> "SHA-384";
            case XENC + "sha512" -> "SHA-512";
            default -> "";
        };
    }

    private static String mask(String uri) {
        return switch (uri) {
            case XENC11 + "mgf1sha1" -> "SHA-1";
            case XENC11 + "mgf1sha256" -> "SHA-256";
            case XENC11 + "mgf1sha384" -> "SHA-384";
            case XENC11 + "mgf1sha512" -> "SHA-512";
            default -> "";
        };
    }

    public byte[] closed(SecretKey content, PublicKey recipient) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, recipient).doFinal(content.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key for RSA encrypts no more", e);
        }
    }

    /// Nothing when it was changed, or is for somebody else.
    public byte[] opened(byte[] closed, PrivateKey ours) {
        try {
            return cipher(Cipher.DECRYPT_MODE, ours).doFinal(closed);
        } catch (GeneralSecurityException e) {
            return new byte[0];
        }
    }

    private Cipher cipher(int mode, Key key) throws GeneralSecurityException {
        return cipher(Cryptography.ofProcess(), mode, key);
    }

    /// @param mode as Java calls it
    Cipher cipher(Cryptography by, int mode, Key key) throws GeneralSecurityException {
        Cipher cipher = by.cipher("RSA/ECB/OAEPPadding");
        cipher.init(
                mode,
                key,
                new OAEPParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mask), PSource.PSpecified.DEFAULT));
        return cipher;
    }
}
