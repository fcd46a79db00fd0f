package gateway.policies.message.convert;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Names of JSON as names of XML without a prefix, and back: characters that XML does not take there are written
/// `_x0020_`. What is encoded is decoded to the same name, and the other way round.
final class XmlNames {
    private static final Pattern ENCODED = Pattern.compile("_x([0-9A-F]{4})_");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private XmlNames() {}

    /// @param name not empty
    static String encoded(String name) {
        return isName(name) && decoded(name).equals(name) ? name : escaped(name);
    }

    /// @param name of XML
    static String decoded(String name) {
        if (name.indexOf("_x") < 0) return name;
        String plain = ENCODED.matcher(name)
                .replaceAll(found ->
                        Matcher.quoteReplacement(String.valueOf((char) HexFormat.fromHexDigits(found.group(1)))));
        boolean shorter = plain.length() < name.length();
        return shorter && !isReserved(plain) && encoded(plain).equals(name) ? plain : name;
    }

    /// What means something else in JSON, or is no text.
    private static boolean isReserved(String name) {
        if (name.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) return true;
        return name.startsWith("@") || name.equals("#text") || name.equals("$") || name.indexOf(':') >= 0;
    }

    private static String escaped(String name) {
        var escaped = new StringBuilder(name.length() + 12);
        for (int i = 0; i < name.length(); ) {
            int c = name.codePointAt(i);
            boolean stands = i == 0 ? isStart(c) : isPart(c);
            boolean begins =
                    c == '_' && ENCODED.matcher(name).region(i, name.length()).lookingAt();
            if (stands && !begins && !name.equals("xmlns")) escaped.appendCodePoint(c);
            else for (char unit : Character.toChars(c)) append(unit, escaped);
            i += Character.charCount(c);
        }
        return escaped.toString();
    }

    private static void append(char unit, StringBuilder escaped) {
        escaped.append("_x").append(HEX.toHexDigits((short) unit)).append('_');
    }

    /// Whether it is one as it stands.
    static boolean isName(String name) {
        if (name.equals("xmlns")) return false; // readers take it for a declaration
        for (int i = 0; i < name.length(); ) {
            int c = name.codePointAt(i);
            if (!(i == 0 ? isStart(c) : isPart(c))) return false;
            i += Character.charCount(c);
        }
        return !name.isEmpty();
    }

    private static boolean isStart(int c) {
        return c == '_' || (isLetterOfXml(c) && Character.isLetter(c));
    }

    private static boolean isPart(int c) {
        return isStart(c) || c == '-' || c == '.' || (c >= '0' && c <= '9');
    }

    /// Blocks whose letters are in names of XML 1.0 of every edition (appendix B of the first): all others are encoded,
    /// which every reader takes.
    private static boolean isLetterOfXml(int c) {
        return c < 0x80
                || (c >= 0xc0 && c <= 0x131)
                || (c >= 0x3a3 && c <= 0x3ce)
                || (c >= 0x410 && c <= 0x44f)
                || (c >= 0x5d0 && c <= 0x5ea)
                || (c >= 0x641 && c <= 0x64a)
                || (c >= 0x3041 && c <= 0x3094)
                || (c >= 0x30a1 && c <= 0x30fa)
                || (c >= 0x4e00 && c <= 0x9fa5)
                || (c >= 0xac00 && c <= 0xd7a3);
    }
}
