package gateway.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// What a short-term value is found by. Names are of any length and often secret (an id of a session), so stores only
/// see their hash.
///
/// @param use apart from all other uses
/// @param digest SHA-256 of place and name, 43 characters of base64url
public record ShortTermName(ShortTermUse use, String digest) {
    /// @param place whose name it is, such as `orders/jwt`; the same name in two places is two names
    /// @param name as the request tells it
    public static ShortTermName of(ShortTermUse use, String place, String name) {
        byte[] placeBytes = place.getBytes(StandardCharsets.UTF_8);
        MessageDigest sha256 = sha256();
        // The length first: no place and name run into another place and name.
        sha256.update(
                ByteBuffer.allocate(Integer.BYTES).putInt(placeBytes.length).flip());
        sha256.update(placeBytes);
        byte[] hash = sha256.digest(name.getBytes(StandardCharsets.UTF_8));
        return new ShortTermName(use, Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
