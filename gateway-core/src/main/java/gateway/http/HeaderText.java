package gateway.http;

/// What may stand in a header field: names are tokens (RFC 9110 §5.6.2), values hold no CR, LF, NUL or other control
/// character but the tab (§5.5).
public final class HeaderText {
    private HeaderText() {}

    public static boolean isToken(String name) {
        if (name.isEmpty()) return false;
        for (int i = 0; i < name.length(); i++) {
            if (!isTokenCharacter(name.charAt(i))) return false;
        }
        return true;
    }

    public static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) return false;
        }
        return true;
    }

    public static boolean isTokenCharacter(char c) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
        return "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    public static void requireToken(String name) {
        if (!isToken(name)) throw new IllegalArgumentException("not a header name");
    }

    public static void requireValue(String name, String value) {
        if (!isValue(value))
            throw new IllegalArgumentException("value of header " + name + " holds a control character");
    }
}
