package gateway.service;

import static gateway.service.TestCharges.millis;
import static gateway.service.TestCharges.named;
import static gateway.service.TestCharges.quota;
import static gateway.service.TestCharges.rate;
import static gateway.service.TestCharges.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Rule.FixedWindow;
import gateway.service.Rule.RollingPeriod;
import gateway.service.Rule.SlidingWindow;
import gateway.service.Rule.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [LimitStore] does.
public interface LimitStoreContract extends LimitRuleContract {
    @Test
    default void a_request_that_one_limit_refuses_costs_the_others_nothing() {
        var wide = rate("wide", new TokenBucket(10, seconds(1), 10));
        var narrow = quota("narrow", new RollingPeriod(1, seconds(10)));
        store().acquire(List.of(wide, narrow));

        var permits = store().acquire(List.of(wide, narrow));

        assertThat(permits)
                .containsExactly(
                        new Permit.Granted(10, 8, millis(200)), new Permit.Denied(1, 0, seconds(10), seconds(10)));
        assertThat(peek(wide).remaining()).isEqualTo(9);
    }

    @Test
    default void the_order_of_charges_does_not_matter() {
        var wide = rate("wide", new FixedWindow(10, seconds(10)));
        var narrow = quota("narrow", new RollingPeriod(1, seconds(10)));
        store().acquire(List.of(narrow, wide));

        var permits = store().acquire(List.of(narrow, wide));

        assertThat(permits.get(0)).isInstanceOf(Permit.Denied.class);
        assertThat(permits.get(1)).isInstanceOf(Permit.Granted.class);
        assertThat(peek(wide).remaining()).isEqualTo(9);
    }

    @Test
    default void peeking_spends_nothing() {
        var charge = rate("peeked", new FixedWindow(1, seconds(10)));

        assertThat(peek(charge).remaining()).isEqualTo(1);
        assertThat(acquire(charge)).isInstanceOf(Permit.Granted.class);
        assertThat(peek(charge)).isInstanceOf(Permit.Denied.class);
    }

    @Test
    default void refused_requests_are_not_counted() {
        var charge = rate("refused", new TokenBucket(1, seconds(1), 1));

        assertThat(grantedOf(charge, 50)).isEqualTo(1);
        clock().advance(Duration.ofSeconds(1));

        assertThat(acquire(charge)).isInstanceOf(Permit.Granted.class);
    }

    @Test
    default void counters_with_different_names_are_apart() {
        var rule = new FixedWindow(1, seconds(10));
        acquire(rate("one", rule));

        assertThat(acquire(rate("other", rule))).isInstanceOf(Permit.Granted.class);
    }

    @Test
    default void a_counter_outlives_a_change_of_the_numbers() {
        String name = UUID.randomUUID().toString();
        grantedOf(named(name, new FixedWindow(5, seconds(10))), 5);

        var permit = acquire(named(name, new FixedWindow(8, seconds(10))));

        assertThat(permit.remaining()).isEqualTo(2);
    }

    @Test
    default void no_charges_need_no_permits() {
        assertThat(store().acquire(List.of())).isEmpty();
        assertThat(store().peek(List.of())).isEmpty();
    }

    @Test
    default void many_threads_get_exactly_the_limit() throws Exception {
        for (Rule rule : List.of(
                new TokenBucket(300, seconds(3600), 300),
                new SlidingWindow(300, seconds(3600)),
                new FixedWindow(300, seconds(3600)),
                new RollingPeriod(300, seconds(3600)))) {
            assertThat(grantedToThreads(List.of(rate("many", rule)))).isEqualTo(300);
        }
    }

    @Test
    default void a_charge_for_several_takes_them_all_or_none() {
        for (Rule rule : List.of(
                new TokenBucket(10, seconds(10), 10),
                new SlidingWindow(10, seconds(10)),
                new FixedWindow(10, seconds(10)),
                new RollingPeriod(10, seconds(10)))) {
            var charge = rate("several", rule);

            assertThat(acquire(charge.of(3)).remaining()).isEqualTo(7);
            var refused = acquire(charge.of(8));
            assertThat(refused).isInstanceOf(Permit.Denied.class);
            assertThat(refused.remaining()).isEqualTo(7);
            assertThat(peek(charge.of(7))).isInstanceOf(Permit.Granted.class);
            assertThat(peek(charge.of(7)).remaining()).isEqualTo(7);
            assertThat(acquire(charge.of(7)).remaining()).isZero();
            assertThat(acquire(charge)).isInstanceOf(Permit.Denied.class);
        }
    }

    @Test
    default void a_bucket_tells_when_it_will_hold_what_was_asked_for() {
        var charge = rate("several", new TokenBucket(10, seconds(1), 10));

        assertThat(acquire(charge.of(4))).isEqualTo(new Permit.Granted(10, 6, millis(400)));
        assertThat(acquire(charge.of(9))).isEqualTo(new Permit.Denied(10, 6, millis(400), millis(300)));
        clock().advance(Duration.ofMillis(300));
        assertThat(acquire(charge.of(9))).isEqualTo(new Permit.Granted(10, 0, millis(1_000)));
    }

    @Test
    default void more_than_the_limit_is_never_granted_and_costs_nothing() {
        for (Rule rule : List.of(
                new TokenBucket(10, seconds(1), 5),
                new SlidingWindow(5, seconds(1)),
                new FixedWindow(5, seconds(1)),
                new RollingPeriod(5, seconds(1)))) {
            var charge = rate("huge", rule);

            assertThat(acquire(charge.of(6))).isInstanceOf(Permit.Denied.class);
            clock().advance(Duration.ofHours(1));
            assertThat(acquire(charge.of(Charge.MOST_AMOUNT))).isInstanceOf(Permit.Denied.class);
            assertThat(acquire(charge.of(5))).isInstanceOf(Permit.Granted.class);
        }
    }

    @Test
    default void of_several_charges_for_several_one_refusal_costs_the_others_nothing() {
        var wide = rate("wide", new FixedWindow(100, seconds(10)));
        var narrow = quota("narrow", new RollingPeriod(10, seconds(10)));

        store().acquire(List.of(wide.of(20), narrow.of(11)));
        assertThat(peek(wide).remaining()).isEqualTo(100);
        store().acquire(List.of(wide.of(20), narrow.of(10)));

        assertThat(peek(wide).remaining()).isEqualTo(80);
        assertThat(peek(narrow).remaining()).isZero();
    }

    /// Rules whose numbers divide without rest, since stores count in nanoseconds or in microseconds.
    @Test
    default void any_amounts_at_any_times_are_counted_as_the_model_counts_them() {
        for (int seed = 0; seed < 12; seed++) {
            var random = new Random(seed);
            long limit = List.of(2L, 5L, 10L, 20L).get(random.nextInt(4));
            Rule rule = switch (seed % 3) {
                case 0 -> new TokenBucket(limit, limit * millis(100), 1L + random.nextInt(20));
                case 1 -> new FixedWindow(limit, seconds(2));
                default -> new RollingPeriod(limit, seconds(2));
            };
            var charge = rate("model", rule);
            var model = new FakeLimitStore(clock());
            for (int i = 0; i < 60; i++) {
                var asked = List.of(charge.of(1L + random.nextInt(8)));
                assertThat(store().acquire(asked))
                        .as("charge %d of %s for %s", i, rule, asked)
                        .isEqualTo(model.acquire(asked));
                clock().advance(Duration.ofMillis(random.nextInt(700)));
            }
        }
    }

    @Test
    default void what_was_refused_is_granted_after_the_time_it_was_told() {
        for (int seed = 0; seed < 12; seed++) {
            var random = new Random(seed);
            Rule rule = switch (seed % 4) {
                case 0 -> new TokenBucket(10, seconds(1), 7);
                case 1 -> new SlidingWindow(7, seconds(1));
                case 2 -> new FixedWindow(7, seconds(1));
                default -> new RollingPeriod(7, seconds(1));
            };
            var charge = rate("patient", rule);
            for (int i = 0; i < 30; i++) {
                var asked = charge.of(1L + random.nextInt(7));
                if (acquire(asked) instanceof Permit.Denied denied) {
                    clock().advance(Duration.ofNanos(denied.retryNanos() + 1_000)); // stores that count in microseconds
                    assertThat(acquire(asked)).as("%s of %s", asked, rule).isInstanceOf(Permit.Granted.class);
                }
                clock().advance(Duration.ofMillis(random.nextInt(200)));
            }
        }
    }

    @Test
    default void many_threads_that_take_several_get_no_more_than_the_limit() throws Exception {
        var charge = rate("many", new FixedWindow(300, seconds(3600)));

        assertThat(grantedToThreads(List.of(charge.of(7)))).isEqualTo(42);
        assertThat(peek(charge).remaining()).isEqualTo(6);
    }

    @Test
    default void many_threads_spend_all_or_none() throws Exception {
        var wide = rate("wide", new FixedWindow(1_000, seconds(3600)));
        var narrow = quota("narrow", new RollingPeriod(250, seconds(3600)));

        assertThat(grantedToThreads(List.of(wide, narrow))).isEqualTo(250);
        assertThat(peek(wide).remaining()).isEqualTo(750);
        assertThat(peek(narrow).remaining()).isZero();
    }

    private Permit peek(Charge charge) {
        return store().peek(List.of(charge)).getFirst();
    }

    private int grantedToThreads(List<Charge> charges) throws Exception {
        int threads = 8;
        var start = new CountDownLatch(1);
        var reversed = charges.reversed();
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var counts = new ArrayList<Future<Integer>>();
            for (int i = 0; i < threads; i++) {
                var mine = i % 2 == 0 ? charges : reversed;
                counts.add(pool.submit(() -> {
                    start.await();
                    int granted = 0;
                    for (int n = 0; n < 100; n++) {
                        if (store().acquire(mine).stream().allMatch(Permit.Granted.class::isInstance)) granted++;
                    }
                    return granted;
                }));
            }
            start.countDown();
            int granted = 0;
            for (var count : counts) granted += count.get();
            return granted;
        }
    }
}
