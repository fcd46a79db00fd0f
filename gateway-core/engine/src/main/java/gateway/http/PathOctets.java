package gateway.http;

/// Which characters a path may hold as they are (`pchar` of RFC 3986 §3.3, and `/`).
final class PathOctets {
    private static final boolean[] ALLOWED = new boolean[128];
    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (char c = 'a'; c <= 'z'; c++) ALLOWED[c] = true;
        for (char c = 'A'; c <= 'Z'; c++) ALLOWED[c] = true;
        for (char c = '0'; c <= '9'; c++) ALLOWED[c] = true;
        for (char c : "/-._~!$&'()*+,;=:@".toCharArray()) ALLOWED[c] = true;
        System.arraycopy(ALLOWED, 0, PLAIN, 0, ALLOWED.length);
        PLAIN[';'] = false;
    }

    private PathOctets() {}

    static boolean isAllowed(char c) {
        return c < 128 && ALLOWED[c];
    }

    /// Whether `path` begins with `/`, holds only allowed characters, no parameters (`;`), no `//` and no segment that
    /// begins with a dot.
    static boolean isPlain(String path) {
        int length = path.length();
        if (length == 0 || path.charAt(0) != '/') return false;
        char before = '/';
        for (int i = 1; i < length; i++) {
            char c = path.charAt(i);
            if (c >= 128 || !PLAIN[c]) return false;
            if (before == '/' && (c == '/' || c == '.')) return false;
            before = c;
        }
        return true;
    }

    static int hexDigit(char c) {
        if (c >= '0' && c <= '9') return c - '0';
        char lower = (char) (c | 0x20);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
