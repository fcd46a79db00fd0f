package gateway.policies.cryptography;

import java.util.Arrays;
import java.util.Base64;

/// Base64url without padding (RFC 7515 §2), of which each octet string has one text: another text of the same octets
/// would be another token to whoever remembers tokens.
public final class Base64Url {
    private static final byte[] VALUES = values();

    private Base64Url() {}

    private static byte[] values() {
        var values = new byte[128];
        Arrays.fill(values, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        for (int i = 0; i < alphabet.length(); i++) values[alphabet.charAt(i)] = (byte) i;
        return values;
    }

    /// Whether the text is one that an encoder writes.
    public static boolean isCanonical(String text) {
        int last = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            last = c < VALUES.length ? VALUES[c] : -1;
            if (last < 0) return false;
        }
        return switch (text.length() % 4) {
            case 1 -> false;
            case 2 -> (last & 0b1111) == 0;
            case 3 -> (last & 0b11) == 0;
            default -> true;
        };
    }

    /// The octets of a canonical text.
    public static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
