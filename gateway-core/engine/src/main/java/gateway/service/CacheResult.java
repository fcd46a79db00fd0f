package gateway.service;

import java.util.Locale;

/// How a request fares with a cache.
public enum CacheResult {
    /// Given what is kept and fresh.
    HIT,
    /// Given what is kept and stale, since it is being renewed or the upstream fails.
    STALE,
    /// The upstream said that what is kept holds.
    REVALIDATED,
    /// Answered by the upstream.
    MISS,
    /// Answered by the upstream, since the cache was not to be asked.
    BYPASS;

    /// As meters name it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
