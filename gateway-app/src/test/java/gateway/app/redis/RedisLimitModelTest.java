package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.FakeLimitStore;
import gateway.service.ManualClock;
import gateway.service.Rule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The scripts against the plain model of the same rules, at random times.
final class RedisLimitModelTest {
    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) redis.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_scripts_count_as_the_model_does(long seed) {
        var random = new Random(seed);
        var clock = ManualClock.create();
        var model = new FakeLimitStore(clock);
        try (var stores = LimitStores.at(redis.uri(), clock)) {
            var charges = List.of(charge(random), charge(random));
            for (int i = 0; i < 400; i++) {
                assertThat(stores.limits().acquire(charges))
                        .as("request %d of %s", i, charges)
                        .isEqualTo(model.acquire(charges));
                clock.advance(Duration.ofMillis(random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(50)));
            }
        }
    }

    /// Numbers that divide without rest, since the model counts in whole nanoseconds and the scripts in
    /// microseconds.
    private static Charge charge(Random random) {
        long requests = List.of(2L, 5L, 10L, 20L).get(random.nextInt(4));
        long per = 1_000_000_000L * (1 + random.nextInt(3));
        Rule rule = switch (random.nextInt(4)) {
            case 0 -> new Rule.TokenBucket(requests, per * requests / 10, 1L + random.nextInt(20));
            case 1 -> new Rule.FixedWindow(requests, per);
            case 2 -> new Rule.RollingPeriod(requests, per);
            default -> new Rule.CalendarPeriod(requests, Rule.CalendarUnit.MINUTE, ZoneId.of("Asia/Kathmandu"));
        };
        return new Charge("rate:" + UUID.randomUUID(), "key_1", rule, Counting.EXACT, false);
    }
}
