package gateway.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/// Counters of what parts have counted that come and go with definitions: a part goes with the definition that it was
/// made for, the counter goes on as long as any is told for it. Used by one thread at a time.
public final class GrowingCounters {
    private final MeterRegistry registry;
    private final Map<Count, Counter> counters = new HashMap<>();
    private final Map<Object, Map<Count, Long>> before = new WeakHashMap<>(); // what a part had counted by then
    private final Set<Count> told = new HashSet<>();

    private record Count(String name, Tags tags) {}

    public GrowingCounters(MeterRegistry registry) {
        this.registry = registry;
    }

    /// Counts what `part` has counted since the last time.
    public void tell(String name, Tags tags, Object part, long now) {
        var count = new Count(name, tags);
        told.add(count);
        Long seen = before.computeIfAbsent(part, _ -> new HashMap<>()).put(count, now);
        counters.computeIfAbsent(count, _ -> registry.counter(name, tags))
                .increment((double) (now - (seen == null ? 0 : seen)));
    }

    /// Removes the counters that nothing was told for since the last time.
    public void forgetOthers() {
        List<Count> gone =
                counters.keySet().stream().filter(each -> !told.contains(each)).toList();
        for (Count each : gone) {
            Counter removed = counters.remove(each);
            if (removed != null) registry.remove(removed);
        }
        told.clear();
    }
}
