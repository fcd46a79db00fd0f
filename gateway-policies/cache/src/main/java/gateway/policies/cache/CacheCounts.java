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

    private final String api;
    private final Map<CacheResult, LongAdder> counts = new EnumMap<>(CacheResult.class);

    CacheCounts(String api) {
        this.api = api;
        for (CacheResult each : CacheResult.values()) counts.put(each, new LongAdder());
    }

    void add(CacheResult result) {
        counter(result).increment();
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
