package gateway.policies.script;

import gateway.policies.script.run.StopReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// How many runs of scripts came to no end of their own, by reason.
record ScriptStops(Map<StopReason, Counter> counters) {
    static ScriptStops of(MeterRegistry meters) {
        var counters = new EnumMap<StopReason, Counter>(StopReason.class);
        for (StopReason reason : StopReason.values()) {
            counters.put(
                    reason,
                    Counter.builder("gateway.scripts.stopped")
                            .description("Runs of scripts that came to no end of their own")
                            .tags("reason", reason.toString())
                            .register(meters));
        }
        return new ScriptStops(counters);
    }

    void count(StopReason reason) {
        Objects.requireNonNull(counters.get(reason)).increment();
    }
}
