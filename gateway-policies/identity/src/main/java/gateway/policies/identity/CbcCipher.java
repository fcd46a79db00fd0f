package gateway.policies.identity;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What contents are encrypted by that nothing protects from being changed (XML Encryption 1.1 §5.2.2). Whoever may
/// send changed ones again and again finds out what is in them, so none is opened that nobody has signed as it is.
enum CbcCipher {
    AES128(16),
    AES192(24),
    AES256(32);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BLOCK = 16;

    private final int keyBytes;

    CbcCipher(int keyBytes) {
        this.keyBytes = keyBytes;
    }

    static Optional<CbcCipher> called(String uri) {
        return Arrays.stream(values()).filter(each -> each.uri().equals(uri)).findFirst();
    }

    private String uri() {
        return "http://www.w3.org/2001/04/xmlenc#aes" + keyBytes * 8 + "-cbc";
    }

    /// Empty when that is seen not to be its key.
    ///
    /// @param key of another length: one that nobody has is tried
    Optional<byte[]> opened(byte[] closed, byte[] key) {
        if (closed.length < 2 * BLOCK || closed.length % BLOCK != 0) return Optional.empty();
        var bytes = new byte[keyBytes];
        RANDOM.nextBytes(bytes);
        try {
            Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(key.length == keyBytes ? key : bytes, "AES"),
                    new IvParameterSpec(closed, 0, BLOCK));
            return unpadded(cipher.doFinal(closed, BLOCK, closed.length - BLOCK));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }

    private static Optional<byte[]> unpadded(byte[] content) {
        int padding = content[content.length - 1];
        boolean fits = padding >= 1 && padding <= BLOCK;
        return fits ? Optional.of(Arrays.copyOf(content, content.length - padding)) : Optional.empty();
    }
}
