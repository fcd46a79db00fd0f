package gateway.jmh;

import gateway.app.metrics.Metrics;
import gateway.app.metrics.MetricsSettings;
import gateway.http.Outcome;
import gateway.service.ApiMeters;
import gateway.service.StepMeter;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/// What the meters cost one request: its class, its three times, and three policies' verdicts.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MetersBenchmark {
    private static final Outcome OUTCOME = new Outcome(200, Outcome.Ending.COMPLETE, 2_000_000, 2_030_000);

    private final Metrics metrics = Metrics.start(MetricsSettings.DEFAULT, Set::of, "benchmark");
    private final ApiMeters api = metrics.unrouted();
    private final StepMeter key = api.step("key-auth", false);
    private final StepMeter rate = api.step("rate-limit", false);
    private final StepMeter quota = api.step("quota", false);

    @TearDown
    public void close() {
        metrics.close();
    }

    @Benchmark
    public void request() {
        count();
    }

    @Benchmark
    @Threads(2)
    public void requestOnTwoThreads() {
        count();
    }

    private void count() {
        key.proceeded();
        rate.proceeded();
        quota.proceeded();
        api.ended(OUTCOME);
    }
}
