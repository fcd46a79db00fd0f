package gateway.app.admin;

import gateway.json.Json;
import gateway.service.CacheEntries;
import gateway.service.CacheEntries.Held;
import gateway.service.CacheResult;
import gateway.service.CacheUse;
import gateway.service.KeptParts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What the caches of one API keep on this node, and how requests fare with them.
public final class CacheTotals {
    private final String api;
    private final Map<CacheResult, Long> counts = new EnumMap<>(CacheResult.class);
    private Held held = new Held(0, 0);

    private CacheTotals(String api) {
        this.api = api;
    }

    /// Of all APIs with caches in use, by id.
    public static List<CacheTotals> of(KeptParts parts) {
        var totals = new TreeMap<String, CacheTotals>();
        for (CacheUse each : parts.inUse(CacheUse.class))
            totals.computeIfAbsent(each.api(), CacheTotals::new).add(each);
        for (CacheEntries each : parts.inUse(CacheEntries.class)) {
            each.held()
                    .forEach((api, held) ->
                            totals.computeIfAbsent(api, CacheTotals::new).add(held));
        }
        return List.copyOf(totals.values());
    }

    private void add(CacheUse use) {
        for (CacheResult each : CacheResult.values()) counts.merge(each, use.count(each), Long::sum);
    }

    private void add(Held more) {
        held = held.and(more);
    }

    public String api() {
        return api;
    }

    public long entries() {
        return held.entries();
    }

    public long bytes() {
        return held.bytes();
    }

    /// Of the requests that asked the cache, the part that it answered by itself; 0 while none has.
    private double hitRate() {
        long given = count(CacheResult.HIT) + count(CacheResult.STALE);
        long asked = given + count(CacheResult.REVALIDATED) + count(CacheResult.MISS);
        return asked == 0 ? 0 : (double) given / asked;
    }

    private long count(CacheResult result) {
        return counts.getOrDefault(result, 0L);
    }

    ObjectNode json() {
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("api", api)
                .put("entries", held.entries())
                .put("bytes", held.bytes())
                .put("hitRate", hitRate());
        ObjectNode requests = json.putObject("requests");
        for (CacheResult each : CacheResult.values()) requests.put(each.toString(), count(each));
        return json;
    }
}
