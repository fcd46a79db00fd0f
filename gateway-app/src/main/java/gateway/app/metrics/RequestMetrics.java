package gateway.app.metrics;

import gateway.app.server.RequestObserver;
import gateway.http.Outcome;
import gateway.snapshot.LiveSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts finished requests by API and status class. A request costs one look-up by the API's id and one addition;
/// meters are made at an API's first request, and go when the API is gone.
final class RequestMetrics implements RequestObserver {
    private static final int CLASSES = 6; // 0: a status that is none
    private static final int SPARE = 100;

    private final MeterRegistry registry;
    private final LiveSnapshot live;
    private final ConcurrentHashMap<String, Counts> byApi = new ConcurrentHashMap<>();

    /// @param live whose APIs are counted; those that it no longer knows are forgotten
    RequestMetrics(MeterRegistry registry, LiveSnapshot live) {
        this.registry = registry;
        this.live = live;
    }

    @Override
    public void ended(String api, Outcome outcome) {
        Counts counts = byApi.get(api);
        if (counts == null) counts = countsFor(api);
        int statusClass = outcome.status() / 100;
        counts.byClass[statusClass < CLASSES ? statusClass : 0].increment();
    }

    private Counts countsFor(String api) {
        if (byApi.size() > 2 * live.current().apis().size() + SPARE) forgetGone(); // also where nobody reads the meters
        return byApi.computeIfAbsent(api, this::register);
    }

    /// Removes the meters of APIs that are no longer known.
    void forgetGone() {
        var known = live.current().apis();
        for (String api : byApi.keySet()) {
            if (api.equals(NO_API) || known.containsKey(api)) continue;
            Counts gone = byApi.remove(api);
            if (gone != null) gone.meters.forEach(registry::remove);
        }
    }

    private Counts register(String api) {
        var byClass = new LongAdder[CLASSES];
        var meters = new ArrayList<Meter>(CLASSES);
        for (int i = 0; i < CLASSES; i++) {
            byClass[i] = new LongAdder();
            if (i == 0) continue;
            meters.add(FunctionCounter.builder(MeterNames.REQUESTS, byClass[i], LongAdder::sum)
                    .description("finished requests")
                    .tag(MeterNames.API, api)
                    .tag(MeterNames.STATUS, i + "xx")
                    .register(registry));
        }
        return new Counts(byClass, meters);
    }

    private static final class Counts {
        private final LongAdder[] byClass;
        private final List<Meter> meters;

        Counts(LongAdder[] byClass, List<Meter> meters) {
            this.byClass = byClass;
            this.meters = meters;
        }
    }
}
