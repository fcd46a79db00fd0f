package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.LimitStore;
import gateway.service.LimitStoreContract;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RedisLimitStoreTest implements LimitStoreContract {
    private static RedisProcess redis;

    private final ManualClock clock = ManualClock.create();
    private LimitStores stores;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) redis.close();
    }

    @BeforeEach
    void open() {
        stores = LimitStores.at(redis.uri(), clock);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Test
    void leased_charges_for_several_on_two_nodes_never_pass_the_limit() {
        var random = new Random(1);
        for (Rule rule : List.of(
                new Rule.FixedWindow(1_000, 3_600_000_000_000L),
                new Rule.RollingPeriod(1_000, 3_600_000_000_000L),
                new Rule.TokenBucket(1_000, 3_600_000_000_000L, 1_000))) {
            var charge = new Charge("rate:" + UUID.randomUUID(), "key_1", rule, Counting.LEASED, false);
            try (var other = LimitStores.at(redis.uri(), clock)) {
                long granted = 0;
                for (int i = 0; i < 400; i++) {
                    var asked = charge.of(random.nextBoolean() ? 1 : 1L + random.nextInt(30));
                    var node = random.nextBoolean() ? stores.limits() : other.limits();
                    if (node.acquire(List.of(asked)).getFirst() instanceof Permit.Granted) granted += asked.amount();
                }

                assertThat(granted).as("%s", rule).isBetween(700L, 1_000L);
            }
        }
    }

    @Test
    void a_leased_charge_that_finds_a_part_here_takes_the_rest_from_the_shared_count_or_nothing() {
        var rule = new Rule.FixedWindow(100, 3_600_000_000_000L);
        var charge = new Charge("rate:" + UUID.randomUUID(), "key_1", rule, Counting.LEASED, false);
        assertThat(stores.limits().acquire(List.of(charge)).getFirst()).isInstanceOf(Permit.Granted.class);

        assertThat(stores.limits().acquire(List.of(charge.of(60))).getFirst()).isInstanceOf(Permit.Granted.class);
        assertThat(stores.limits().acquire(List.of(charge.of(40))).getFirst()).isInstanceOf(Permit.Denied.class);

        until(() -> stores.limits().peek(List.of(charge)).getFirst().remaining() == 39);
    }

    @Override
    public LimitStore store() {
        return stores.limits();
    }

    @Override
    public ManualClock clock() {
        return clock;
    }
}
