package gateway.app.proxy;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.Set;

/// Fields by which a request says where it comes from, where it goes or which method it has, which servers behind the
/// gateway believe: dropped unless the peer is trusted. `Proxy` becomes the variable `HTTP_PROXY` in CGI, by which
/// programs find their own proxy (CVE-2016-5385).
///
/// Names with an underscore are dropped whoever sends them, as nginx does (`underscores_in_headers off`): where
/// fields become variables, as in CGI (RFC 3875 §4.1.18), `X_Forwarded_For` cannot be told from `X-Forwarded-For`.
final class ForwardingFields {
    private static final byte[] PREFIX = {'x', '-', 'f', 'o', 'r', 'w', 'a', 'r', 'd', 'e', 'd'};
    private static final Set<HttpString> NAMES = Set.of(
            new HttpString("Forwarded"),
            new HttpString("X-Real-IP"),
            new HttpString("X-Client-IP"),
            new HttpString("X-Cluster-Client-IP"),
            new HttpString("X-Original-URL"),
            new HttpString("X-Original-URI"),
            new HttpString("X-Original-Host"),
            new HttpString("X-Original-For"),
            new HttpString("X-Rewrite-URL"),
            new HttpString("X-Envoy-External-Address"),
            new HttpString("True-Client-IP"),
            new HttpString("Client-IP"),
            new HttpString("CF-Connecting-IP"),
            new HttpString("Fastly-Client-IP"),
            new HttpString("Proxy"),
            new HttpString("X-HTTP-Method"),
            new HttpString("X-HTTP-Method-Override"),
            new HttpString("X-Method-Override"),
            new HttpString("tracestate"));

    private ForwardingFields() {}

    /// Drops them in one pass: what is removed leaves a gap, and moves nothing that the pass has yet to see.
    ///
    /// @param believed whether the peer is trusted
    static void drop(HeaderMap fields, boolean believed) {
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            HttpString name = fields.fiCurrent(at).getHeaderName();
            if (hasUnderscore(name) || (!believed && isClaim(name))) fields.remove(name);
        }
    }

    private static boolean hasUnderscore(HttpString name) {
        for (int i = name.length() - 1; i >= 0; i--) {
            if (name.byteAt(i) == '_') return true;
        }
        return false;
    }

    private static boolean isClaim(HttpString name) {
        return switch (name.byteAt(0) | 0x20) {
            case 'x' -> isForwarded(name) || NAMES.contains(name);
            case 'c', 'f', 'p', 't' -> NAMES.contains(name);
            default -> false;
        };
    }

    /// `X-Forwarded` and all that begin so.
    private static boolean isForwarded(HttpString name) {
        if (name.length() < PREFIX.length) return false;
        for (int i = 0; i < PREFIX.length; i++) {
            int letter = name.byteAt(i);
            if ((letter == '-' ? letter : letter | 0x20) != PREFIX[i]) return false;
        }
        return true;
    }
}
