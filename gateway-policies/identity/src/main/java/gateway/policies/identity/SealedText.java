package gateway.policies.identity;

import gateway.http.Secret;
import gateway.policies.cryptography.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

/// Seals texts that others keep for the gateway, with AES-256-GCM: base64url of nonce, content and tag. What is sealed
/// in one place or for one purpose opens in no other.
final class SealedText {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int KEY_BYTES = 32;

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    private SealedText(SecretKey key) {
        this.key = key;
    }

    /// @param secret of which the place's key is derived (RFC 5869)
    static SealedText of(Secret secret, String place) {
        byte[] info = ("gateway oidc " + place).getBytes(StandardCharsets.UTF_8);
        byte[] content = secret.reveal().getBytes(StandardCharsets.UTF_8);
        try {
            var parameters = HKDFParameterSpec.ofExtract().addIKM(content).thenExpand(info, KEY_BYTES);
            return new SealedText(KDF.getInstance("HKDF-SHA256").deriveKey("AES", parameters));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HKDF-SHA256", e);
        }
    }

    /// Characters that sealing `bytes` makes.
    static int length(int bytes) {
        return ((NONCE_BYTES + bytes + TAG_BYTES) * 4 + 2) / 3;
    }

    String seal(String text, String purpose) {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] content = cipher(Cipher.ENCRYPT_MODE, nonce, purpose).doFinal(text.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + content.length);
            System.arraycopy(content, 0, all, NONCE_BYTES, content.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-GCM", e);
        }
    }

    /// Empty for what was not sealed here, for this purpose.
    Optional<String> open(String sealed, String purpose) {
        if (sealed.length() < length(0) || !Base64Url.isCanonical(sealed)) return Optional.empty();
        byte[] all = Base64Url.decode(sealed);
        try {
            byte[] content = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(all, NONCE_BYTES), purpose)
                    .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return Optional.of(new String(content, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            return Optional.empty(); // another key, place or purpose, or changed
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
