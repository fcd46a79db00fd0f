package gateway.policies.identity;

import gateway.policies.cryptography.Base64Url;
import java.security.SecureRandom;
import java.util.Base64;

/// Texts that nobody can guess: 256 bits as 43 characters of base64url.
final class RandomText {
    static final int LENGTH = 43;

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomText() {}

    static String next() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Whether it has the form of one.
    static boolean isOne(String text) {
        return text.length() == LENGTH && Base64Url.isCanonical(text);
    }
}
