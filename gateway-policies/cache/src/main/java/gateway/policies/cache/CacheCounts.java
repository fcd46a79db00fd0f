package gateway.policies.cache;

import gateway.service.CacheResult;
import gateway.service.CacheUse;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Counts how requests of one policy fare.
final class CacheCounts implements CacheUse {
    /// One for each policy.
    record Id(String api, String step) {}

    /// Of requests that have no client: nobody looks at them.
    static final CacheCounts NONE = new CacheCounts("");

    private final String api;
    private final Map<CacheResult, LongAdder> counts = new EnumMap<>(CacheResult.class);

    CacheCounts(String api) {
        this.api = api;
        for (CacheResult each : CacheResult.values()) counts.put(each, new LongAdder());
    }

    void add(CacheResult result) {
        counter(result).increment();
    }

    /// A client is given `answer`.
    void given(CacheResult result, CachedAnswer answer) {
        add(result);
        if (!equals(NONE)) answer.hits().increment();
    }

    @Override
    public String api() {
        return api;
    }

    @Override
    public long count(CacheResult result) {
        return counter(result).sum();
    }

    @SuppressWarnings("NullAway") // there is one for each
    private LongAdder counter(CacheResult result) {
        return counts.get(result);
    }
}
