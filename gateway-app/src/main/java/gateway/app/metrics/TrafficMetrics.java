package gateway.app.metrics;

import gateway.app.traffic.TrafficCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// What became of the traffic log's records, read when somebody asks.
final class TrafficMetrics implements MeterBinder {
    private final Supplier<TrafficCounts> counts;

    TrafficMetrics(Supplier<TrafficCounts> counts) {
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count("accepted", TrafficCounts::accepted, registry);
        count("recovered", TrafficCounts::recovered, registry);
        count("indexed", TrafficCounts::indexed, registry);
        count("replayed", TrafficCounts::replayed, registry);
        count("rejected", TrafficCounts::rejected, registry);
        count("dropped", TrafficCounts::dropped, registry);
        tell(MeterNames.TRAFFIC_SPILLED, "records on disk", TrafficCounts::spilled, registry);
        tell(MeterNames.TRAFFIC_SPILL_BYTES, "bytes of records on disk", TrafficCounts::spillBytes, registry);
        tell(MeterNames.TRAFFIC_UNDER_WAY, "records whose fate is open", TrafficCounts::underWay, registry);
    }

    private void count(String fate, ToDoubleFunction<TrafficCounts> value, MeterRegistry registry) {
        FunctionCounter.builder(MeterNames.TRAFFIC_RECORDS, counts, each -> value.applyAsDouble(each.get()))
                .description("records of the traffic log")
                .tag(MeterNames.FATE, fate)
                .register(registry);
    }

    private void tell(String name, String description, ToDoubleFunction<TrafficCounts> value, MeterRegistry registry) {
        Gauge.builder(name, counts, each -> value.applyAsDouble(each.get()))
                .description(description)
                .register(registry);
    }
}
