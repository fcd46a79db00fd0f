package gateway.app.metrics;

import gateway.app.server.RequestObserver;
import gateway.http.Outcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts finished requests by API and status class. A request costs one look-up by the API's id and one addition;
/// meters
/// are made at an API's first request only.
final class RequestMetrics implements RequestObserver {
    private static final int CLASSES = 6; // 0: a status that is none
    private final MeterRegistry registry;
    private final ConcurrentHashMap<String, LongAdder[]> byApi = new ConcurrentHashMap<>();

    RequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void ended(String api, Outcome outcome) {
        LongAdder[] counts = byApi.get(api);
        if (counts == null) counts = byApi.computeIfAbsent(api, this::register);
        int statusClass = outcome.status() / 100;
        counts[statusClass < CLASSES ? statusClass : 0].increment();
    }

    private LongAdder[] register(String api) {
        var counts = new LongAdder[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            counts[i] = new LongAdder();
            if (i == 0) continue;
            FunctionCounter.builder(MeterNames.REQUESTS, counts[i], LongAdder::sum)
                    .description("finished requests")
                    .tag(MeterNames.API, api)
                    .tag(MeterNames.STATUS, i + "xx")
                    .register(registry);
        }
        return counts;
    }
}
