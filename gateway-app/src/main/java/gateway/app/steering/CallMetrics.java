package gateway.app.steering;

import gateway.app.metrics.ApiMeterTable;
import gateway.app.metrics.GaugeRows;
import gateway.app.metrics.Latency;
import gateway.app.metrics.MeterNames;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// The meters of calls: the first hundred servers stand under their own name, the rest together under
/// [ApiMeterTable#OTHER].
final class CallMetrics {
    private static final int MOST_NAMES = 100;

    private final MeterRegistry registry;
    private final Map<String, CallMeter> meters = new HashMap<>();
    private final Set<LongAdder> registered = new HashSet<>();
    private final MultiGauge breakers;
    private final AtomicInteger underWay = new AtomicInteger();

    CallMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.breakers = MultiGauge.builder(MeterNames.CALLS_BREAKER)
                .description("0 while the circuit breaker of a server is closed, 1 half-open, 2 open")
                .register(registry);
        registry.gauge(MeterNames.CALLS_UNDER_WAY, underWay);
    }

    /// What counts the calls to servers of this name; when a policy is compiled.
    synchronized CallMeter of(String server) {
        CallMeter found = meters.get(server);
        if (found != null) return found;
        String tag = meters.size() < MOST_NAMES ? server : ApiMeterTable.OTHER;
        return meters.computeIfAbsent(
                tag,
                name -> new CallMeter(
                        name,
                        Latency.ANSWER
                                .timer(MeterNames.CALLS_DURATION, "calls of policies, to the end of the answer")
                                .tags(MeterNames.SERVER, name)
                                .register(registry)));
    }

    synchronized void refresh(HttpCalls calls) {
        underWay.set(calls.underWay());
        for (CallMeter meter : meters.values()) meter.results().forEach((result, count) -> tell(meter, result, count));
        var phases = new TreeMap<String, Integer>();
        for (HttpServerCalls each : calls.servers())
            phases.merge(each.meter().tag(), UpstreamMetrics.number(each.breaker()), Math::max);
        breakers.register(GaugeRows.of(phases, MeterNames.SERVER), true);
    }

    private void tell(CallMeter meter, String result, LongAdder count) {
        if (!registered.add(count)) return;
        FunctionCounter.builder(MeterNames.CALLS, count, LongAdder::sum)
                .description("calls of policies")
                .tags(Tags.of(MeterNames.SERVER, meter.tag(), MeterNames.RESULT, result))
                .register(registry);
    }
}
