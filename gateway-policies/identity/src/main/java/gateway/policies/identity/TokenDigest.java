package gateway.policies.identity;

import gateway.service.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(content));
        return new TokenDigest(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }

    @Override
    public int hashCode() {
        return (int) first; // as good as any
    }
}
