package gateway.wire.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 as certificates and keys are named by.
final class Fingerprint {
    private Fingerprint() {}

    /// 64 hexadecimal digits in lower case.
    static String sha256(byte[] content) {
        return HexFormat.of().formatHex(digest(content));
    }

    static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
