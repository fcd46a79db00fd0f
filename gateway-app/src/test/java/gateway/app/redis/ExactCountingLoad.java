package gateway.app.redis;

import com.sun.management.OperatingSystemMXBean;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Rule;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// CPU time of this process for each `acquire` of two charges (rate and quota), printed every five seconds.
///
/// Arguments: URI, virtual threads, rounds, `exact` or `leased`. Run on one core with Redis on another:
/// `taskset -c 0 java … ExactCountingLoad redis://127.0.0.1:6379 100 6 exact`.
final class ExactCountingLoad {
    private ExactCountingLoad() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        var counting = Counting.valueOf(arguments[3].toUpperCase(java.util.Locale.ROOT));
        var done = new LongAdder();
        var failed = new LongAdder();
        var settings = RedisSettings.of(arguments[0]).withDeadline(Duration.ofSeconds(2)); // the machine may be busy
        var stores = LimitStores.open(settings, InstantSource.system()).limits();
        for (int i = 0; i < threads; i++) {
            var charges = charges("key_" + i, counting);
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try {
                        stores.acquire(charges);
                        done.increment();
                    } catch (RuntimeException e) {
                        failed.increment();
                    }
                }
            });
        }
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int round = 0; round < rounds; round++) {
            long cpu = system.getProcessCpuTime();
            long before = done.sum();
            new java.util.concurrent.CountDownLatch(1).await(5, java.util.concurrent.TimeUnit.SECONDS);
            long calls = done.sum() - before;
            System.out.printf(
                    "%d calls/s, %.2f us CPU a call, %d failed%n",
                    calls / 5, (system.getProcessCpuTime() - cpu) / 1e3 / calls, failed.sum());
        }
        System.exit(0);
    }

    private static List<Charge> charges(String key, Counting counting) {
        return List.of(
                new Charge(
                        "rate:orders/rate-limit:" + key,
                        key,
                        new Rule.TokenBucket(1_000_000, 1_000_000_000, 1_000_000),
                        counting,
                        false),
                new Charge(
                        "quota:orders/quota:" + key,
                        key,
                        new Rule.RollingPeriod(1_000_000_000, 86_400_000_000_000L),
                        counting,
                        true));
    }
}
