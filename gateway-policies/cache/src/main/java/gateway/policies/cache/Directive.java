package gateway.policies.cache;

import java.util.Locale;

/// The directives of `Cache-Control` that mean something here (RFC 9111 §5.2, RFC 5861).
enum Directive {
    MAX_AGE,
    MAX_STALE,
    MIN_FRESH,
    MUST_REVALIDATE,
    MUST_UNDERSTAND,
    NO_CACHE,
    NO_STORE,
    ONLY_IF_CACHED,
    PRIVATE,
    PROXY_REVALIDATE,
    PUBLIC,
    S_MAXAGE,
    STALE_IF_ERROR,
    STALE_WHILE_REVALIDATE;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /// As fields have it.
    String word() {
        return word;
    }
}
