package gateway.jmh;

import gateway.app.memory.EmbeddedStores;
import gateway.key.ApiKey;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import gateway.service.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What a request costs in the embedded stores: its key, and its rate limit and quota together.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
public class EmbeddedStoresBenchmark {
    private static final Rule RATE = new Rule.TokenBucket(1_000_000_000, 1_000_000_000, 1_000_000_000);
    private static final Rule QUOTA =
            new Rule.RollingPeriod(1_000_000_000_000L, Duration.ofDays(30).toNanos());

    private final EmbeddedStores stores;
    private final String secret;
    private final List<Charge> charges;

    public EmbeddedStoresBenchmark() {
        stores = EmbeddedStores.open(folder(), InstantSource.system(), 1_000_000);
        var key = new ApiKey(
                "", "jmh", true, Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), List.of(), Map.of());
        secret = stores.keys().issue(key).secret().reveal();
        charges = List.of(
                new Charge("rate:orders/rate-limit:key_1", "key_1", RATE, Counting.EXACT, false),
                new Charge("quota:orders/quota:key_1", "key_1", QUOTA, Counting.EXACT, true));
    }

    @TearDown
    public void close() {
        stores.close();
    }

    @Benchmark
    public Optional<ApiKey> key() {
        return stores.keys().authenticate(secret);
    }

    @Benchmark
    public List<Permit> rateAndQuota() {
        return stores.limits().acquire(charges);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("gateway-jmh");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
