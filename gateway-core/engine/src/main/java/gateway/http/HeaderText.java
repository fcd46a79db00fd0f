package gateway.http;

import gateway.json.JsonSchema;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What may stand in a header field: names are tokens (RFC 9110 §5.6.2), values hold no CR, LF, NUL or other control
/// character but the tab (§5.5).
public final class HeaderText {
    /// Of [#isToken].
    public static final Pattern TOKEN_FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /// Of [#isRequestName].
    public static final Pattern REQUEST_NAME_FORM = Pattern.compile("[!#$%&'*+.^`|~0-9A-Za-z-]+");

    /// What frames a message or belongs to one connection (RFC 9110 §7.6.1, RFC 9112 §6).
    private static final Set<String> RESERVED = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /// Of [#isReserved].
    public static final Pattern RESERVED_FORM =
            Pattern.compile(JsonSchema.inAnyCase(String.join("|", new TreeSet<>(RESERVED))));

    /// By character. A look-up, since every header written asks.
    private static final boolean[] TOKEN = tokenCharacters();

    private HeaderText() {}

    public static boolean isToken(String name) {
        if (name.isEmpty()) return false;
        for (int i = 0; i < name.length(); i++) {
            if (!isTokenCharacter(name.charAt(i))) return false;
        }
        return true;
    }

    /// Whether a request can have a field of this name: those with an underscore are dropped, since some servers take
    /// it for a hyphen.
    public static boolean isRequestName(String name) {
        return isToken(name) && name.indexOf('_') < 0;
    }

    /// Whether the gateway writes fields of this name itself: they frame a message or belong to one connection.
    public static boolean isReserved(String name) {
        return RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    /// What is wrong with a name that is no [#isRequestName].
    public static String requestNameFlaw(String name) {
        String expected = isToken(name) ? "a header name without '_', which no request arrives with" : "a header name";
        return "expected " + expected + ", got \"" + name + '"';
    }

    public static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) return false;
        }
        return true;
    }

    public static boolean isTokenCharacter(char c) {
        return c < TOKEN.length && TOKEN[c];
    }

    public static void requireToken(String name) {
        if (!isToken(name)) throw new IllegalArgumentException("not a header name");
    }

    public static void requireValue(String name, String value) {
        if (!isValue(value))
            throw new IllegalArgumentException("value of header " + name + " holds a control character");
    }

    private static boolean[] tokenCharacters() {
        var token = new boolean[128];
        for (char c = '0'; c <= '9'; c++) token[c] = true;
        for (char c = 'A'; c <= 'Z'; c++) token[c] = true;
        for (char c = 'a'; c <= 'z'; c++) token[c] = true;
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) token[c] = true;
        return token;
    }
}
