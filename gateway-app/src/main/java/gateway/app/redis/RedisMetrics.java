package gateway.app.redis;

import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import java.util.function.Supplier;

/// How the shared store answers, read when somebody asks.
public record RedisMetrics(Supplier<RedisState> state, Readings readings) {
    public void tell() {
        readings.gauge(
                MeterNames.STORE_AVAILABLE,
                "1 while the shared store answers, 0 while its breaker is open",
                () -> state.get().available() ? 1 : 0);
        String failures = "calls that the shared store did not answer";
        readings.counter(
                MeterNames.STORE_FAILURES, failures, () -> state.get().failures(), MeterNames.REASON, "unanswered");
        readings.counter(
                MeterNames.STORE_FAILURES, failures, () -> state.get().refused(), MeterNames.REASON, "breaker");
        readings.counter(
                MeterNames.STORE_FAILURES, failures, () -> state.get().starved(), MeterNames.REASON, "starved");
        readings.counter(
                MeterNames.STORE_LOST,
                "requests taken from shared counters and neither spent nor surely given back",
                () -> state.get().lost());
    }
}
