package gateway.app.server;

import io.undertow.server.HttpServerExchange;
import java.util.Locale;

/// What a request asks for.
///
/// @param host lower case, without port
/// @param path canonical
/// @param rawPath as sent; has the same segments as `path`
record RequestTarget(String host, String path, String rawPath) {
    /// The path as sent, without scheme and authority when the request line holds them.
    static String rawPath(HttpServerExchange undertow) {
        String uri = undertow.getRequestURI();
        if (!undertow.isHostIncludedInRequestURI()) return uri;
        int authority = uri.indexOf("//");
        int slash = authority < 0 ? -1 : uri.indexOf('/', authority + 2);
        return slash < 0 ? "/" : uri.substring(slash);
    }

    /// The host in the value of a `Host` field; the dot that may end a full name does not make it another.
    static String host(String sent) {
        int end = sent.length();
        boolean upper = false;
        boolean bracketed = false;
        for (int i = 0; i < sent.length(); i++) {
            char c = sent.charAt(i);
            bracketed = c == '[' || (bracketed && c != ']');
            if (c == ':' && !bracketed) {
                end = i;
                break;
            }
            upper |= c >= 'A' && c <= 'Z';
        }
        if (end > 0 && sent.charAt(end - 1) == '.') end--;
        String host = end == sent.length() ? sent : sent.substring(0, end);
        return upper ? host.toLowerCase(Locale.ROOT) : host;
    }
}
