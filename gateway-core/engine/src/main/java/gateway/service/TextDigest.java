package gateway.service;

import java.util.Base64;

/// Names of texts of any length in stores.
public final class TextDigest {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private TextDigest() {}

    /// SHA-256 of the characters as they are: no charset stands between, which would make two texts one.
    ///
    /// @return 43 characters of base64url
    public static String of(CharSequence text) {
        var bytes = new byte[text.length() * Character.BYTES];
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes[2 * i] = (byte) (c >> 8);
            bytes[2 * i + 1] = (byte) c;
        }
        return BASE64URL.encodeToString(Sha256.of(bytes));
    }
}
