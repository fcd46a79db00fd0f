package gateway.policies.cryptography;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What contents are encrypted by (XML Encryption 1.1 §5.2.4): ciphers that tell whether anything was changed.
public enum ContentCipher {
    AES256_GCM(32),
    AES192_GCM(24),
    AES128_GCM(16);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final int keyBytes;

    ContentCipher(int keyBytes) {
        this.keyBytes = keyBytes;
    }

    public String uri() {
        return "http://www.w3.org/2009/xmlenc11#aes" + keyBytes * 8 + "-gcm";
    }

    public static Optional<ContentCipher> called(String uri) {
        return Arrays.stream(values()).filter(each -> each.uri().equals(uri)).findFirst();
    }

    public SecretKey newKey() {
        var bytes = new byte[keyBytes];
        RANDOM.nextBytes(bytes);
        return new SecretKeySpec(bytes, "AES");
    }

    /// A key of another length is none: then one that nobody has, so that it takes as long to find out.
    public SecretKey key(byte[] bytes) {
        return bytes.length == keyBytes ? new SecretKeySpec(bytes, "AES") : newKey();
    }

    /// Nonce, what is encrypted, and its tag.
    public byte[] closed(byte[] content, SecretKey key) {
        var nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] closed = Arrays.copyOf(nonce, NONCE + cipher.getOutputSize(content.length));
            cipher.doFinal(content, 0, content.length, closed, NONCE);
            return closed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }

    /// Empty when it was changed, or this is not its key.
    public Optional<byte[]> opened(byte[] closed, SecretKey key) {
        if (closed.length < NONCE + TAG_BITS / 8) return Optional.empty();
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, closed, 0, NONCE));
            return Optional.of(cipher.doFinal(closed, NONCE, closed.length - NONCE));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}
