package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.LimitStore;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import gateway.service.Rule.FixedWindow;
import gateway.service.Rule.RollingPeriod;
import gateway.service.Rule.SlidingWindow;
import gateway.service.Rule.TokenBucket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Three nodes on one Redis and one counter.
final class CountingAcrossNodesTest {
    private static final int NODES = 3;
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) redis.close();
    }

    @Test
    void exact_counting_admits_exactly_the_limit_over_all_nodes() throws Exception {
        for (var rule : rules(1_000)) {
            var nodes = nodes();

            assertThat(hammer(nodes, charge(rule, Counting.EXACT), 200)).isEqualTo(1_000);
            nodes.forEach(LimitStores::close);
        }
    }

    @Test
    void leased_counting_admits_the_limit_and_never_more_over_all_nodes() throws Exception {
        for (var rule : rules(1_000)) {
            var charge = charge(rule, Counting.LEASED);
            var nodes = nodes();

            int admitted = hammer(nodes, charge, 400);
            nodes.forEach(LimitStores::close);

            // the first token of a full bucket is due at once and so is lost on the way to its node
            long lost = rule instanceof TokenBucket ? 10 : 0;
            assertThat(admitted + remaining(charge)).as(rule.toString()).isBetween(1_000 - lost, 1_000L);
        }
    }

    @Test
    void what_a_node_leased_and_did_not_spend_is_given_back_when_it_closes() {
        var charge = charge(new RollingPeriod(1_000, HOUR), Counting.LEASED);
        var node = LimitStores.open(patient(), InstantSource.system());
        for (int i = 0; i < 10; i++) node.limits().acquire(List.of(charge));

        node.close();

        assertThat(remaining(charge)).isEqualTo(990);
    }

    @Test
    void a_leased_charge_that_another_charge_refuses_costs_nothing() {
        var wide = charge(new RollingPeriod(1_000, HOUR), Counting.LEASED);
        var narrow = charge(new RollingPeriod(1, HOUR), Counting.EXACT);
        var node = LimitStores.open(patient(), InstantSource.system());
        node.limits().acquire(List.of(wide, narrow));
        for (int i = 0; i < 50; i++) {
            var permits = node.limits().acquire(List.of(wide, narrow));
            assertThat(permits.get(1)).isInstanceOf(Permit.Denied.class);
        }

        node.close();

        assertThat(remaining(wide)).isEqualTo(999);
    }

    @Test
    void charges_of_different_subjects_are_given_back_when_one_is_refused() {
        var wide = new Charge("rate:" + UUID.randomUUID(), "key_1", new RollingPeriod(10, HOUR), Counting.EXACT, false);
        var narrow =
                new Charge("rate:" + UUID.randomUUID(), "10.0.0.1", new RollingPeriod(1, HOUR), Counting.EXACT, false);
        try (var node = LimitStores.open(patient(), InstantSource.system())) {
            node.limits().acquire(List.of(wide, narrow));

            var permits = node.limits().acquire(List.of(wide, narrow));

            assertThat(permits.get(0)).isInstanceOf(Permit.Granted.class);
            assertThat(permits.get(1)).isInstanceOf(Permit.Denied.class);
            until(() -> remaining(wide) == 9);
        }
    }

    /// In any stretch of time a bucket admits at most its burst and what flowed in meanwhile, whoever asks
    /// when.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void leased_buckets_never_admit_more_than_one_bucket_would(long seed) {
        var random = new Random(seed);
        var clock = ManualClock.create();
        long interval = List.of(100_000L, 1_000_000L, 10_000_000L).get(random.nextInt(3));
        long burst = 1L + random.nextInt(100);
        var rule = new TokenBucket(1_000_000_000L / interval, 1_000_000_000L, burst);
        var charge = charge(rule, Counting.LEASED);
        var nodes = new ArrayList<LimitStores>();
        for (int i = 0; i < NODES; i++) nodes.add(LimitStores.at(redis.uri(), clock));
        var admitted = new ArrayList<Long>();

        for (int i = 0; i < 3_000; i++) {
            LimitStore node = nodes.get(random.nextInt(NODES)).limits();
            if (node.acquire(List.of(charge)).getFirst() instanceof Permit.Granted) admitted.add(clock.nanos());
            if (random.nextInt(4) == 0) clock.advance(Duration.ofNanos(1_000 * random.nextLong(2 * interval / 1_000)));
            if (random.nextInt(500) == 0) clock.advance(Duration.ofNanos(interval * random.nextLong(2 * burst)));
        }
        nodes.forEach(LimitStores::close);

        assertThat(admitted).hasSizeGreaterThan((int) burst / 2);
        assertThat(excess(admitted, interval, burst)).isLessThanOrEqualTo(0);
    }

    /// How many more than allowed came in the worst stretch of time.
    private static long excess(List<Long> times, long interval, long burst) {
        long worst = Long.MIN_VALUE;
        for (int first = 0; first < times.size(); first++) {
            for (int last = first; last < times.size(); last++) {
                long allowed = burst + (times.get(last) - times.get(first)) / interval;
                worst = Math.max(worst, last - first + 1 - allowed);
            }
        }
        return worst;
    }

    private static List<Rule> rules(long requests) {
        return List.of(
                new RollingPeriod(requests, HOUR),
                new SlidingWindow(requests, 1_000 * HOUR),
                new FixedWindow(requests, 1_000 * HOUR),
                new TokenBucket(requests, 1_000_000 * HOUR, requests));
    }

    private static List<LimitStores> nodes() {
        var nodes = new ArrayList<LimitStores>();
        for (int i = 0; i < NODES; i++) nodes.add(LimitStores.open(patient(), InstantSource.system()));
        return nodes;
    }

    private static int hammer(List<LimitStores> nodes, Charge charge, int times) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var counts = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 4 * nodes.size(); i++) {
                var node = nodes.get(i % nodes.size()).limits();
                counts.add(threads.submit(() -> {
                    int granted = 0;
                    for (int n = 0; n < times; n++) {
                        if (node.acquire(List.of(charge)).getFirst() instanceof Permit.Granted) granted++;
                    }
                    return granted;
                }));
            }
            int granted = 0;
            for (var count : counts) granted += count.get();
            return granted;
        }
    }

    private static long remaining(Charge charge) {
        try (var fresh = LimitStores.open(patient(), InstantSource.system())) {
            return fresh.limits().peek(List.of(charge)).getFirst().remaining();
        }
    }

    private static RedisSettings patient() {
        return RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(5));
    }

    private static Charge charge(Rule rule, Counting counting) {
        return new Charge("rate:" + UUID.randomUUID(), "key_1", rule, counting, false);
    }
}
