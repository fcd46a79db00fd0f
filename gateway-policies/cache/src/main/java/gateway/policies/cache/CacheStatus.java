package gateway.policies.cache;

import java.time.Instant;

/// What the cache has done, as `Cache-Status` tells it (RFC 9211).
final class CacheStatus {
    static final String BYPASS = "gateway; fwd=bypass";
    static final String MISS = "gateway; fwd=miss";
    static final String STALE = "gateway; fwd=stale";
    static final String STORED = "; stored";
    static final String FIELD = "Cache-Status";

    private CacheStatus() {}

    static String hit(CachedAnswer answer, Instant now) {
        return "gateway; hit; ttl=" + answer.freshFor(now).toSeconds();
    }

    /// The upstream was asked whether a stale one holds, or to replace it.
    static String asked(int status) {
        return STALE + "; fwd-status=" + status;
    }
}
