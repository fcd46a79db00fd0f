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
