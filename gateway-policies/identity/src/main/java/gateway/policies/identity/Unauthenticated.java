package gateway.policies.identity;

import gateway.http.Exchange;

/// What becomes of a request without a session.
enum Unauthenticated {
    /// A person who opens a page is sent to the provider; a script is told by 401.
    AUTO,
    REDIRECT,
    DENY;

    /// Whether the request is sent to the provider. One with content never is: that would be lost.
    boolean redirects(Exchange exchange) {
        boolean reads = exchange.method().equals("GET") || exchange.method().equals("HEAD");
        if (!reads) return false;
        return switch (this) {
            case AUTO -> isNavigation(exchange);
            case REDIRECT -> true;
            case DENY -> false;
        };
    }

    /// Whether a browser says that a person opens a page.
    static boolean isNavigation(Exchange exchange) {
        var mode = exchange.headers().first("Sec-Fetch-Mode");
        if (mode.isPresent()) return mode.get().equals("navigate");
        return exchange.headers()
                        .first("Accept")
                        .filter(types -> types.contains("text/html"))
                        .isPresent()
                && !exchange.headers().contains("X-Requested-With");
    }
}
