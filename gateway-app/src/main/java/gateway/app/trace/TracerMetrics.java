package gateway.app.trace;

import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import java.util.function.ToLongFunction;

/// What becomes of spans, read when somebody asks.
public record TracerMetrics(OtlpTracer tracer, Readings readings) {
    public void tell() {
        count("ended", SpanCounts::ended);
        count("exported", SpanCounts::exported);
        count("dropped", SpanCounts::dropped);
    }

    private void count(String fate, ToLongFunction<SpanCounts> value) {
        readings.counter(
                MeterNames.SPANS,
                "spans of recorded traces",
                () -> value.applyAsLong(tracer.counts()),
                MeterNames.FATE,
                fate);
    }
}
