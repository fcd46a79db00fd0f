package gateway.policies.cache;

import java.time.Instant;

/// What the cache has done, as `Cache-Status` tells it (RFC 9211).
final class CacheStatus {
    static final String BYPASS = "gateway; fwd=bypass";
    static final String MISS = "gateway; fwd=miss";
    static final String STALE = "gateway; fwd=stale";
    static final String REQUEST = "gateway; fwd=request";
    static final String STORED = "; stored";
    static final String FIELD = "Cache-Status";

    private CacheStatus() {}

    static String hit(CachedAnswer answer, Instant now) {
        return "gateway; hit; ttl=" + answer.freshFor(now).toSeconds();
    }

    /// The upstream was asked whether a kept one holds, or to replace it.
    ///
    /// @param fresh whether that is fresh, so that it was asked for what the client says alone
    static String asked(boolean fresh, int status) {
        return (fresh ? REQUEST : STALE) + "; fwd-status=" + status;
    }
}
