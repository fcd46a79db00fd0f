package gateway.app.proxy;

import gateway.http.RequestHead;
import gateway.wire.http1.SentTarget;
import gateway.wire.io.HttpTransaction;
import java.util.Locale;

/// What a request asks for: made once of what was sent.
final class RequestTarget {
    private RequestTarget() {}

    /// @param host lower case, without port
    /// @param path canonical
    /// @param sent has the same segments as `path`
    static RequestHead head(HttpTransaction transaction, String host, String path, SentTarget sent) {
        return new RequestHead(transaction.method(), transaction.scheme(), host, path, sent.path(), sent.query());
    }

    /// That of a request which is refused before it matters.
    static RequestHead unread(HttpTransaction transaction) {
        return head(transaction, "", "/", SentTarget.ROOT);
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
