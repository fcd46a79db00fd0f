package gateway.policies.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The SHA-256 of a token: what remembers tokens holds none.
record TokenDigest(long first, long second, long third, long fourth) {
    static TokenDigest of(String token) {
        // What is no ASCII is no token, and finds none.
        return of(token.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Of text in which all letters count.
    static TokenDigest ofUtf8(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static TokenDigest of(byte[] content) {
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(content));
        return new TokenDigest(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public int hashCode() {
        return (int) first; // as good as any
    }
}
