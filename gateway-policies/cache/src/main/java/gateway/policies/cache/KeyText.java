package gateway.policies.cache;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// A text of several values, each behind its length: no two lists of values make the same text.
final class KeyText {
    private final StringBuilder text = new StringBuilder(128);

    KeyText add(String value) {
        text.append(value.length()).append(':').append(value);
        return this;
    }

    /// SHA-256 of it: no key holds a credential, nor is it as long as what it stands for. Of its characters as they
    /// are: half of a surrogate pair is another thing than the question mark that a charset makes of it.
    String digest() {
        ByteBuffer characters = ByteBuffer.allocate(text.length() * Character.BYTES);
        characters.asCharBuffer().append(text);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(characters.array());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
