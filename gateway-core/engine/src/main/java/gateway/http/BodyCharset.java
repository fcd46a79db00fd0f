package gateway.http;

import java.util.Locale;

/// What a message says of the characters of its body. JSON is read as UTF-8 (RFC 8259, section 8.1); who goes by
/// another `charset` reads another text of the same bytes: in Shift_JIS the end of some characters is a backslash or
/// none.
public final class BodyCharset {
    private static final String CHARSET = "charset";

    private BodyCharset() {}

    /// Whether nothing says that it is read otherwise than as UTF-8.
    public static boolean isUtf8(Headers fields) {
        String type = fields.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        int at = type.indexOf(CHARSET);
        if (at < 0) return true;
        String rest = type.substring(at + CHARSET.length()).strip();
        if (!rest.startsWith("=") || rest.contains(CHARSET)) return false;
        String name = rest.substring(1).split(";", 2)[0].replace("\"", "").strip();
        return isUtf8(name);
    }

    /// Whether what is of this charset can be read as UTF-8.
    ///
    /// @param name in lower case
    public static boolean isUtf8(String name) {
        return name.equals("utf-8") || name.equals("utf8") || name.equals("us-ascii");
    }

    /// Of a message that says one type.
    ///
    /// @throws BodyRefusedException when something says so, or several types, each of which may have another
    ///     charset
    public static void requireUtf8(Headers fields) {
        SaidTypes.requireOne(fields);
        if (!isUtf8(fields)) throw BodyRefusedException.type("not said to be UTF-8");
    }
}
