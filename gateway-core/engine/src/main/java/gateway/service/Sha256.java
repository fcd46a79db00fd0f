package gateway.service;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// SHA-256 of what is whole at hand.
public final class Sha256 {
    private static final MessageDigest UNUSED = create(); // copied, which takes a third less than to ask for another

    private Sha256() {}

    private static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// 32 bytes.
    public static byte[] of(byte[] content) {
        try {
            return ((MessageDigest) UNUSED.clone()).digest(content);
        } catch (CloneNotSupportedException e) {
            return create().digest(content);
        }
    }
}
