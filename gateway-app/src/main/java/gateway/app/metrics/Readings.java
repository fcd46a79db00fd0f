package gateway.app.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;

/// Meters that are read when somebody asks and cost nothing before.
public final class Readings {
    private final MeterRegistry registry;
    private final List<DoubleSupplier> kept = new CopyOnWriteArrayList<>(); // counters hold what they read weakly

    Readings(MeterRegistry registry) {
        this.registry = registry;
    }

    public MeterRegistry registry() {
        return registry;
    }

    /// @param tags name, value, name, value …
    public void gauge(String name, String description, DoubleSupplier value, String... tags) {
        Gauge.builder(name, value::getAsDouble)
                .description(description)
                .tags(Tags.of(tags))
                .register(registry);
    }

    /// @param value never gets less
    public void counter(String name, String description, DoubleSupplier value, String... tags) {
        kept.add(value);
        FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
                .description(description)
                .tags(Tags.of(tags))
                .register(registry);
    }
}
