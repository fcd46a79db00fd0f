package gateway.app.metrics;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;

/// The buckets of a histogram: fixed, so that those of all nodes can be added.
public record Latency(List<Duration> bounds) {
    private static final double NANOS = 1e9;

    /// What a client or a request to something else waits: 1 ms to 30 s.
    public static final Latency ANSWER = of(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30);

    /// What the gateway itself takes: 50 µs to 1 s.
    static final Latency OWN = of(0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1);

    public Latency {
        bounds = List.copyOf(bounds);
    }

    public Timer.Builder timer(String name, String description) {
        return Timer.builder(name).description(description).serviceLevelObjectives(bounds.toArray(Duration[]::new));
    }

    private static Latency of(double... seconds) {
        return new Latency(DoubleStream.of(seconds)
                .mapToObj(each -> Duration.ofNanos(Math.round(each * NANOS)))
                .toList());
    }
}
