package gateway.app.admin;

import gateway.app.metrics.ApiMeterTable;
import gateway.app.metrics.GaugeRows;
import gateway.app.metrics.GrowingCounters;
import gateway.app.metrics.MeterNames;
import gateway.service.CacheResult;
import gateway.service.CacheUse;
import gateway.service.KeptParts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How caches fare and what they hold, looked at when meters are read. Those of the first so many APIs stand under
/// their id, the rest together under [ApiMeterTable#OTHER].
public final class CacheMetrics {
    private final KeptParts parts;
    private final int most;
    private final GrowingCounters counters;
    private final MultiGauge entries;
    private final MultiGauge bytes;

    /// @param most APIs that stand under their own id
    public CacheMetrics(KeptParts parts, MeterRegistry registry, int most) {
        this.parts = parts;
        this.most = most;
        counters = new GrowingCounters(registry);
        entries = MultiGauge.builder(MeterNames.CACHE_ENTRIES)
                .description("answers that are kept")
                .register(registry);
        bytes = MultiGauge.builder(MeterNames.CACHE_BYTES)
                .description("bytes of the answers that are kept")
                .register(registry);
    }

    public synchronized void refresh() {
        List<CacheTotals> totals = CacheTotals.of(parts);
        Map<String, String> tags = tags(totals);
        var kept = new TreeMap<String, Long>();
        var taken = new TreeMap<String, Long>();
        for (CacheTotals each : totals) {
            String tag = tags.getOrDefault(each.api(), ApiMeterTable.OTHER);
            kept.merge(tag, each.entries(), Long::sum);
            taken.merge(tag, each.bytes(), Long::sum);
        }
        entries.register(GaugeRows.of(kept, MeterNames.API), true);
        bytes.register(GaugeRows.of(taken, MeterNames.API), true);
        for (CacheUse each : parts.inUse(CacheUse.class)) {
            String tag = tags.getOrDefault(each.api(), ApiMeterTable.OTHER);
            for (CacheResult result : CacheResult.values()) {
                counters.tell(
                        MeterNames.CACHE_REQUESTS,
                        Tags.of(MeterNames.API, tag, MeterNames.RESULT, result.toString()),
                        each,
                        each.count(result));
            }
        }
        counters.forgetOthers();
    }

    private Map<String, String> tags(List<CacheTotals> totals) {
        var tags = new HashMap<String, String>();
        for (CacheTotals each : totals) if (tags.size() < most) tags.put(each.api(), each.api());
        return tags;
    }
}
