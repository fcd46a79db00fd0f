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
}
