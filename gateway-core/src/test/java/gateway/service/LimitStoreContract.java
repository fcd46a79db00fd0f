package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Rule.CalendarPeriod;
import gateway.service.Rule.CalendarUnit;
import gateway.service.Rule.FixedWindow;
import gateway.service.Rule.RollingPeriod;
import gateway.service.Rule.SlidingWindow;
import gateway.service.Rule.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [LimitStore] does. Times are whole microseconds, since not every store counts in nanoseconds.
public interface LimitStoreContract {
    /// The store under test, the same throughout one test.
    LimitStore store();

    /// What the store goes by.
    ManualClock clock();

    @Test
    default void a_token_bucket_grants_its_burst_at_once_and_one_more_every_interval() {
        var charge = rate("bucket", new TokenBucket(10, seconds(1), 2));

        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, millis(100)));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 0, millis(200)));
        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(2, 0, millis(200), millis(100)));

        clock().advance(Duration.ofMillis(100));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 0, millis(200)));
        assertThat(acquire(charge)).isInstanceOf(Permit.Denied.class);
    }

    @Test
    default void a_token_bucket_never_saves_up_more_than_its_burst() {
        var charge = rate("bucket", new TokenBucket(10, seconds(1), 3));
        acquire(charge);

        clock().advance(Duration.ofHours(1));

        assertThat(grantedOf(charge, 10)).isEqualTo(3);
    }

    @Test
    default void a_fixed_window_is_new_at_multiples_of_its_period_since_the_epoch() {
        clock().set(Instant.parse("2026-01-01T00:00:07Z"));
        var charge = rate("fixed", new FixedWindow(2, seconds(10)));

        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, seconds(3)));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 0, seconds(3)));
        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(2, 0, seconds(3), seconds(3)));

        clock().advance(Duration.ofSeconds(3));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, seconds(10)));
    }

    @Test
    default void a_sliding_window_weighs_the_earlier_window_by_the_part_still_inside() {
        clock().set(Instant.parse("2026-01-01T00:00:00Z"));
        var charge = rate("sliding", new SlidingWindow(10, seconds(10)));
        assertThat(grantedOf(charge, 12)).isEqualTo(10);

        clock().advance(Duration.ofSeconds(15));

        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(10, 4, seconds(5)));
        assertThat(grantedOf(charge, 10)).isEqualTo(4);
    }

    @Test
    default void a_sliding_window_tells_when_the_next_request_may_come() {
        clock().set(Instant.parse("2026-01-01T00:00:00Z"));
        var charge = rate("sliding", new SlidingWindow(10, seconds(10)));
        grantedOf(charge, 10);

        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(10, 0, seconds(10), seconds(11)));

        clock().advance(Duration.ofSeconds(10));
        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(10, 0, seconds(10), seconds(1)));

        clock().advance(Duration.ofSeconds(1));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(10, 0, seconds(9)));
    }

    @Test
    default void a_sliding_window_forgets_after_two_periods() {
        clock().set(Instant.parse("2026-01-01T00:00:00Z"));
        var charge = rate("sliding", new SlidingWindow(10, seconds(10)));
        grantedOf(charge, 10);

        clock().advance(Duration.ofSeconds(20));

        assertThat(grantedOf(charge, 12)).isEqualTo(10);
    }

    @Test
    default void a_rolling_period_begins_with_its_first_counted_request() {
        clock().set(Instant.parse("2026-01-01T00:00:07Z"));
        var charge = quota("rolling", new RollingPeriod(2, seconds(10)));

        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, seconds(10)));
        clock().advance(Duration.ofSeconds(4));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 0, seconds(6)));
        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(2, 0, seconds(6), seconds(6)));

        clock().advance(Duration.ofSeconds(60));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, seconds(10)));
    }

    @Test
    default void a_calendar_period_ends_with_the_month_of_its_zone() {
        clock().set(Instant.parse("2026-02-28T22:00:00Z"));
        var charge = quota("calendar", new CalendarPeriod(2, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));

        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, seconds(3600)));
        acquire(charge);
        assertThat(acquire(charge)).isEqualTo(new Permit.Denied(2, 0, seconds(3600), seconds(3600)));

        clock().advance(Duration.ofHours(1));
        assertThat(acquire(charge)).isEqualTo(new Permit.Granted(2, 1, hours(31 * 24 - 1)));
    }

    @Test
    default void calendar_weeks_begin_on_monday_and_days_follow_summer_time() {
        clock().set(Instant.parse("2026-03-28T23:00:00Z"));
        var zone = ZoneId.of("Europe/Berlin");

        assertThat(acquire(quota("week", new CalendarPeriod(5, CalendarUnit.WEEK, zone))))
                .isEqualTo(new Permit.Granted(5, 4, hours(23)));
        assertThat(acquire(quota("day", new CalendarPeriod(5, CalendarUnit.DAY, zone))))
                .isEqualTo(new Permit.Granted(5, 4, hours(23)));
    }

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
    default void large_limits_and_long_periods_do_not_overflow() {
        long most = 1_000_000_000_000L;
        long years = Duration.ofDays(3660).toNanos();

        assertThat(acquire(rate("bucket", new TokenBucket(most, years, most))).remaining())
                .isEqualTo(most - 1);
        assertThat(acquire(rate("burst", new TokenBucket(1, years, 2)))).isInstanceOf(Permit.Granted.class);
        assertThat(acquire(rate("sliding", new SlidingWindow(most, years))).remaining())
                .isEqualTo(most - 1);
        assertThat(acquire(quota("rolling", new RollingPeriod(most, years))).remaining())
                .isEqualTo(most - 1);
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

    private Permit acquire(Charge charge) {
        return store().acquire(List.of(charge)).getFirst();
    }

    private Permit peek(Charge charge) {
        return store().peek(List.of(charge)).getFirst();
    }

    private int grantedOf(Charge charge, int attempts) {
        int granted = 0;
        for (int i = 0; i < attempts; i++) {
            if (acquire(charge) instanceof Permit.Granted) granted++;
        }
        return granted;
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

    private static Charge rate(String what, Rule rule) {
        return named(what + ":" + UUID.randomUUID(), rule);
    }

    private static Charge quota(String what, Rule rule) {
        return new Charge("quota:" + what + ":" + UUID.randomUUID(), "key_1", rule, Counting.EXACT, true);
    }

    private static Charge named(String name, Rule rule) {
        return new Charge("rate:" + name, "key_1", rule, Counting.EXACT, false);
    }

    private static long millis(long count) {
        return count * 1_000_000;
    }

    private static long seconds(long count) {
        return count * 1_000_000_000;
    }

    private static long hours(long count) {
        return count * 3_600_000_000_000L;
    }
}
