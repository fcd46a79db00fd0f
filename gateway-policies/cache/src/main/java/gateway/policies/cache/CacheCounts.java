package gateway.policies.cache;

import gateway.service.CacheResult;
import gateway.service.CacheUse;
import java.util.concurrent.atomic.LongAdder;

/// Counts how requests of one policy fare.
final class CacheCounts implements CacheUse {
    /// One for each policy.
    record Id(String api, String step) {}

    private final String api;
    private final LongAdder[] counts = new LongAdder[CacheResult.values().length];

    CacheCounts(String api) {
        this.api = api;
        for (int i = 0; i < counts.length; i++) counts[i] = new LongAdder();
    }

    void add(CacheResult result) {
        counts[result.ordinal()].increment();
    }

    @Override
    public String api() {
        return api;
    }

    @Override
    public long count(CacheResult result) {
        return counts[result.ordinal()].sum();
    }
}
