package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.LimitStore;
import gateway.service.Rule;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// What opening the stores costs, and how many calls fail in the second after, with 20 callers.
///
/// Arguments: URI, `rehearsed` (as in production) or `cold`.
final class ColdStart {
    private ColdStart() {}

    public static void main(String[] arguments) throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long begun = System.nanoTime();
        var settings = RedisSettings.of(arguments[0]);
        LimitStore limits = arguments[1].equals("cold")
                ? LimitStores.open(settings, InstantSource.system()).limits()
                : RedisStores.open(settings, InstantSource.system()).limits();
        long wallMillis = (System.nanoTime() - begun) / 1_000_000;
        long cpuMillis = (system.getProcessCpuTime() - cpu) / 1_000_000;
        var answered = new LongAdder();
        var failed = new LongAdder();
        for (int i = 0; i < 20; i++) {
            String key = "key_" + i;
            Thread.ofVirtual().start(() -> call(limits, key, answered, failed));
        }
        new CountDownLatch(1).await(1, TimeUnit.SECONDS);
        System.out.printf(
                "%s: open took %d ms, %d ms CPU; then %d calls answered, %d failed%n",
                arguments[1], wallMillis, cpuMillis, answered.sum(), failed.sum());
        System.exit(0);
    }

    private static void call(LimitStore limits, String key, LongAdder answered, LongAdder failed) {
        var charge = new Charge(
                "rate:" + key, key, new Rule.TokenBucket(1_000_000, 1_000_000_000, 1_000_000), Counting.EXACT, false);
        while (true) {
            try {
                limits.acquire(List.of(charge));
                answered.increment();
            } catch (DependencyException e) {
                failed.increment();
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
