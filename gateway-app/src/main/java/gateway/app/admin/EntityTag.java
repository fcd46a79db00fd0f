package gateway.app.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Strong entity tags (RFC 9110 §8.8.3) of stored objects.
final class EntityTag {
    private EntityTag() {}

    /// The tag of a stored text: the first 96 bits of its SHA-256 digest.
    static String ofText(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ofVersion(HexFormat.of().formatHex(digest, 0, 12));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String ofVersion(String version) {
        return "\"" + version + "\"";
    }
}
