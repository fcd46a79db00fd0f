package gateway.key;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;

/// The installation's own key to the hashes of its secrets: 32 random bytes kept apart from them, so that a
/// copied store alone does not let anybody test guesses.
///
/// Digests are HMAC-SHA-256 (RFC 2104). The two blocks that depend on the pepper alone are hashed once; each
/// digest goes on from copies of them, which halves the cost of an ordinary `Mac` and shares nothing between
/// threads.
public final class Pepper {
    public static final int BYTES = 32;

    private static final int BLOCK = 64;

    private final byte[] bytes;
    private final MessageDigest inner;
    private final MessageDigest outer;

    private Pepper(byte[] bytes) {
        this.bytes = bytes;
        this.inner = primed(bytes, 0x36);
        this.outer = primed(bytes, 0x5c);
    }

    /// @throws IllegalArgumentException unless there are 32 `bytes`
    public static Pepper of(byte[] bytes) {
        if (bytes.length != BYTES) throw new IllegalArgumentException("expected 32 bytes, got " + bytes.length);
        return new Pepper(bytes.clone());
    }

    public static Pepper random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Pepper(bytes);
    }

    public SecretDigest digest(String secret) {
        try {
            byte[] hash = new byte[32];
            var first = (MessageDigest) inner.clone();
            first.update(secret.getBytes(StandardCharsets.UTF_8));
            first.digest(hash, 0, hash.length);
            var second = (MessageDigest) outer.clone();
            second.update(hash);
            second.digest(hash, 0, hash.length);
            return SecretDigest.of(hash);
        } catch (CloneNotSupportedException | DigestException e) {
            throw new IllegalStateException("SHA-256", e);
        }
    }

    /// A copy of the bytes, to be stored where only the gateway reads.
    public byte[] reveal() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return "***";
    }

    private static MessageDigest primed(byte[] key, int pad) {
        byte[] block = Arrays.copyOf(key, BLOCK);
        for (int i = 0; i < BLOCK; i++) block[i] ^= (byte) pad;
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(block);
            return digest;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
