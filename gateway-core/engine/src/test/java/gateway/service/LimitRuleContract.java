package gateway.service;

import static gateway.service.TestCharges.hours;
import static gateway.service.TestCharges.millis;
import static gateway.service.TestCharges.quota;
import static gateway.service.TestCharges.rate;
import static gateway.service.TestCharges.seconds;
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
import java.util.List;
import org.junit.jupiter.api.Test;

/// How every [LimitStore] counts by each [Rule]. Times are whole microseconds, since not every store counts in
/// nanoseconds.
public interface LimitRuleContract {
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

    default Permit acquire(Charge charge) {
        return store().acquire(List.of(charge)).getFirst();
    }

    default int grantedOf(Charge charge, int attempts) {
        int granted = 0;
        for (int i = 0; i < attempts; i++) {
            if (acquire(charge) instanceof Permit.Granted) granted++;
        }
        return granted;
    }
}
