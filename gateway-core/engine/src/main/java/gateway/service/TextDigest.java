package gateway.service;

import java.nio.ByteBuffer;
import java.util.Base64;

/// Names of texts of any length in stores.
public final class TextDigest {
    private TextDigest() {}

    /// SHA-256 of the characters as they are: no charset stands between, which would make two texts one.
    ///
    /// @return 43 characters of base64url
    public static String of(CharSequence text) {
        ByteBuffer characters = ByteBuffer.allocate(text.length() * Character.BYTES);
        characters.asCharBuffer().append(text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(characters.array()));
    }
}
