package gateway.policies.cache;

import java.util.Locale;

/// The directives of `Cache-Control` that mean something here (RFC 9111 §5.2, RFC 5861).
enum Directive {
    MAX_AGE(0),
    S_MAXAGE(1),
    STALE_WHILE_REVALIDATE(2),
    STALE_IF_ERROR(3),
    MAX_STALE(4),
    MIN_FRESH(5),
    MUST_REVALIDATE(6),
    MUST_UNDERSTAND(7),
    NO_CACHE(8),
    NO_STORE(9),
    ONLY_IF_CACHED(10),
    PRIVATE(11),
    PROXY_REVALIDATE(12),
    PUBLIC(13);

    private final int place;
    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    Directive(int place) {
        this.place = place;
    }

    /// Its own one from 0 on, those that are given seconds first.
    int place() {
        return place;
    }

    /// As fields have it.
    String word() {
        return word;
    }
}
