package gateway.app.proxy;

import gateway.wire.http1.SentTarget;
import java.util.Locale;

/// What a request asks for.
///
/// @param host lower case, without port
/// @param path canonical
/// @param sent has the same segments as `path`
record RequestTarget(String host, String path, SentTarget sent) {
    /// Of a request that is refused before that matters.
    static final RequestTarget UNREAD = new RequestTarget("", "/", SentTarget.ROOT);

    /// The path as sent.
    String rawPath() {
        return sent.path();
    }

    /// The query as sent, without `?`; empty when there is none.
    String query() {
        return sent.query();
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
