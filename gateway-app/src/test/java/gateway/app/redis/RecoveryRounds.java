package gateway.app.redis;

import static gateway.Eventually.until;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Rule.RollingPeriod;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// Takes Redis away again and again, and prints how long the stores took to count once it was back.
///
/// Arguments: `kill`, `proxied` (killed behind a proxy, which resets instead of refusing) or `swallow`
/// (connections stand and stay mute, new ones during their handshake too), rounds, and how long at most it
/// is away (ms). Ends with 1 when a round took half a minute. Threads keep both cores busy when there is a
/// fourth argument, their number.
final class RecoveryRounds {
    private RecoveryRounds() {}

    public static void main(String[] arguments) throws Exception {
        String how = arguments[0];
        long[] millis = new long[Integer.parseInt(arguments[1])];
        int longest = Integer.parseInt(arguments[2]);
        if (arguments.length > 3) burn(Integer.parseInt(arguments[3]));
        try (var redis = RedisProcess.start();
                var proxy = TcpProxy.to(redis.port())) {
            int port = how.equals("kill") ? redis.port() : proxy.port();
            try (var stores = RedisStores.open(RedisSettings.of("redis://127.0.0.1:" + port), InstantSource.system())) {
                for (int round = 0; round < millis.length; round++) {
                    until(() -> counts(stores));
                    long away = ThreadLocalRandom.current().nextLong(longest) * 1_000_000;
                    interrupt(how, redis, proxy, away, stores);
                    long back = System.nanoTime();
                    until(() -> counts(stores));
                    millis[round] = (System.nanoTime() - back) / 1_000_000;
                }
            }
        }
        Arrays.sort(millis);
        System.out.printf(
                "%s: %d rounds passed; back after ms: median %d, 90%% %d, most %d%n",
                how,
                millis.length,
                millis[millis.length / 2],
                millis[millis.length * 9 / 10],
                millis[millis.length - 1]);
        System.exit(0);
    }

    private static void interrupt(String how, RedisProcess redis, TcpProxy proxy, long nanos, RedisStores stores) {
        if (how.equals("swallow")) proxy.swallow();
        else redis.kill();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            counts(stores);
            LockSupport.parkNanos(5_000_000);
        }
        if (how.equals("swallow")) proxy.pass();
        else redis.restart();
    }

    private static void burn(int threads) {
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                double value = 1;
                while (true) value = Math.sqrt(value + 1);
            });
        }
    }

    private static boolean counts(RedisStores stores) {
        var rule = new RollingPeriod(1_000_000_000, 3_600_000_000_000L);
        try {
            stores.limits().acquire(List.of(new Charge("quota:a", "key_1", rule, Counting.EXACT, true)));
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }
}
