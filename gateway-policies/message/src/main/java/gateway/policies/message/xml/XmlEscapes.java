package gateway.policies.message.xml;

/// Writes characters where markup would otherwise be read.
public final class XmlEscapes {
    private XmlEscapes() {}

    public static void text(String value, StringBuilder into) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> into.append("&amp;");
                case '<' -> into.append("&lt;");
                case '>' -> into.append("&gt;");
                case '\r' -> into.append("&#13;");
                default -> into.append(c);
            }
        }
    }

    /// Between double quotes.
    public static void attribute(String value, StringBuilder into) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> into.append("&amp;");
                case '<' -> into.append("&lt;");
                case '"' -> into.append("&quot;");
                case '\t', '\n', '\r' -> into.append("&#").append((int) c).append(';');
                default -> into.append(c);
            }
        }
    }

    /// Whether XML 1.0 has all of its characters (§2.2).
    public static boolean isWritable(String value) {
        return value.codePoints()
                .allMatch(c -> (c >= ' ' && !(c >= 0xd800 && c <= 0xdfff) && c != 0xfffe && c != 0xffff)
                        || c == '\t'
                        || c == '\n'
                        || c == '\r');
    }
}
