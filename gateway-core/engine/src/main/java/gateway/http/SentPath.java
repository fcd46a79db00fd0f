package gateway.http;

import gateway.http.CanonicalPath.Canonical;
import gateway.http.CanonicalPath.Refused;

/// A path as it is sent, beside the canonical form that decisions are made on: tells which octets stand for a part of
/// that. So what is cut out of the one goes on as the other, byte for byte, and is never decoded and encoded anew.
///
/// @param canonical see [CanonicalPath]
public record SentPath(String raw, String canonical) {
    private static final int ESCAPE = 3; // %XX
    private static final int ONE_OF_FOUR = 0xf0; // what begins a sequence that is two characters of a text

    /// @param raw one that passes [CanonicalPath#of]
    public static SentPath of(String raw) {
        return switch (CanonicalPath.of(raw)) {
            case Canonical(String path, boolean _) -> new SentPath(raw, path);
            case Refused(String why) -> throw new IllegalArgumentException(why);
        };
    }

    /// What was sent for the characters of the canonical form from `from` to before `to`.
    public String sent(int from, int to) {
        if (raw.length() == canonical.length()) return raw.substring(from, to); // no escape was undone
        return raw.substring(offset(from), offset(to));
    }

    private int offset(int index) {
        int at = 0;
        for (int passed = 0; passed < index; ) {
            int octet = raw.charAt(at) == '%' ? escaped(at) : '/';
            boolean stands = octet == '/' || octet == '\\'; // an encoded separator is three characters in both
            at += stands ? 1 : ESCAPE * octets(octet);
            passed += octet >= ONE_OF_FOUR ? 2 : 1;
        }
        return at;
    }

    private int escaped(int at) {
        return PathOctets.hexDigit(raw.charAt(at + 1)) << 4 | PathOctets.hexDigit(raw.charAt(at + 2));
    }

    /// How many octets a character has in UTF-8 that begins with `lead`; all of them are escaped.
    private static int octets(int lead) {
        if (lead < 0x80) return 1;
        if (lead < 0xe0) return 2;
        return lead < ONE_OF_FOUR ? 3 : 4;
    }
}
