package gateway.policies.identity;

import gateway.http.Exchange;
import java.util.Optional;
import java.util.regex.Pattern;

/// Scheme, host and port as the browser sees them: what a trusted proxy says of them, else what the request does.
///
/// @param secure whether by `https`
/// @param authority host, with the port where that is not the scheme's
record PublicOrigin(boolean secure, String authority) {
    private static final Pattern AUTHORITY = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?");
    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|\\[::1\\]|127(\\.[0-9]{1,3}){3})(:[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    static PublicOrigin of(Exchange exchange) {
        return new PublicOrigin(isSecure(exchange), authority(exchange));
    }

    /// The gateway itself has put these fields there, or kept them of a proxy that it trusts.
    static boolean isSecure(Exchange exchange) {
        Optional<String> told = exchange.headers().first("X-Forwarded-Proto");
        return told.orElse(exchange.scheme()).equals("https");
    }

    private static String authority(Exchange exchange) {
        Optional<String> told = exchange.headers().first("X-Forwarded-Host");
        if (told.isEmpty()) told = exchange.headers().first("Host");
        return told.filter(text -> AUTHORITY.matcher(text).matches()).orElse(exchange.host());
    }

    /// Whether cookies go where nobody listens in: over TLS, or not out of this machine.
    static boolean isPrivate(Exchange exchange) {
        return isSecure(exchange) || LOOPBACK.matcher(authority(exchange)).matches();
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority;
    }
}
