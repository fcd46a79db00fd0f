package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule;
import gateway.service.Rule.RollingPeriod;
import gateway.service.Rule.TokenBucket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A Redis that counts and whose answer comes after the request went on without it: what nobody was granted
/// is not spent.
final class LateAnswersTest {
    private static final long LIMIT = 100_000;
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final Duration LATE = Duration.ofMillis(40); // production's deadline is 20 ms

    private RedisProcess redis;
    private TcpProxy proxy;
    private int granted;
    private int outages;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        proxy = TcpProxy.to(redis.port());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        redis.close();
    }

    @Test
    void slices_that_come_late_are_spent_and_the_rest_is_given_back() {
        var charge = charge("key_1", Counting.LEASED);
        var node = node();
        proxy.delay(LATE);

        until(() -> acquire(node, List.of(charge)) && granted >= 50 && outages > 0);
        node.close();

        assertThat(remaining(charge)).isEqualTo(LIMIT - granted);
    }

    @Test
    void slices_that_come_after_all_patience_are_spent_too() {
        var charge = charge("key_1", Counting.LEASED);
        var hasty = new RedisSettings(
                "redis://127.0.0.1:" + proxy.port(),
                "gw",
                Optional.empty(),
                Duration.ofMillis(5),
                LATE.dividedBy(4),
                Duration.ofMinutes(5),
                Optional.empty(),
                RedisRoom.USUAL);
        try (var link =
                RedisLink.open(hasty, RedisAddress.parse(hasty.uri(), Duration.ofSeconds(2)), this::patiently)) {
            var before = new LeasedCounting(counting(link), System::nanoTime, 10);
            until(() -> spend(before, charge("key_1", Counting.LEASED)));
            before.close(); // Redis knows the scripts now
            var leased = new LeasedCounting(counting(link), System::nanoTime, 10);
            granted = 0;
            outages = 0;
            proxy.delay(LATE);

            until(() -> spend(leased, charge) && outages > 0);

            until(() -> remaining(charge) + leased.left(charge) == LIMIT - granted);
        }
    }

    @Test
    void exact_charges_granted_too_late_are_given_back() {
        for (var rule : List.<Rule>of(new RollingPeriod(LIMIT, HOUR), new TokenBucket(LIMIT, LIMIT * HOUR, LIMIT))) {
            var charge = new Charge("rate:" + UUID.randomUUID(), "key_1", rule, Counting.EXACT, false);
            granted = 0;
            outages = 0;
            proxy.delay(Duration.ZERO);
            try (var node = node()) {
                proxy.delay(LATE);

                for (int i = 0; i < 10; i++) acquire(node, List.of(charge));

                assertThat(outages).isPositive();
                until(() -> remaining(charge) == LIMIT - granted);
            }
        }
    }

    @Test
    void a_part_granted_after_another_part_failed_is_given_back() {
        var broken = charge("10.0.0.1", Counting.EXACT);
        var whole = charge("key_1", Counting.EXACT);
        redis.cli("LPUSH", "gw:{10.0.0.1}:" + broken.counter() + ":r", "no number");
        try (var node = LimitStores.open(patient(), InstantSource.system())) {
            assertThatThrownBy(() -> node.limits().acquire(List.of(broken, whole)))
                    .isInstanceOf(DependencyException.class);

            until(() ->
                    redis.cli("EXISTS", "gw:{key_1}:" + whole.counter() + ":r").equals("1"));
            until(() -> remaining(whole) == LIMIT);
        }
    }

    @Test
    void leftovers_that_the_breaker_refused_are_given_back_when_redis_answers_again() {
        var charge = charge("key_1", Counting.LEASED);
        var other = charge("key_2", Counting.EXACT);
        var node = node();
        until(() -> acquire(node, List.of(charge)));
        redis.cli("CLIENT", "PAUSE", "400");
        for (int i = 0; i < 10; i++) acquire(node, List.of(other));

        node.close();

        assertThat(remaining(charge)).isEqualTo(LIMIT - 1);
        assertThat(node.link().state().lost()).isZero();
    }

    @Test
    void leftovers_that_redis_never_took_are_counted() {
        var node = node();
        until(() -> acquire(node, List.of(charge("key_1", Counting.LEASED))));
        redis.kill();

        node.close();

        assertThat(node.link().state().lost()).isPositive();
    }

    private LimitStores node() {
        return LimitStores.open(RedisSettings.of("redis://127.0.0.1:" + proxy.port()), InstantSource.system());
    }

    private Connections patiently() {
        var settings = RedisSettings.of("redis://127.0.0.1:" + proxy.port());
        return Connections.open(RedisAddress.parse(settings.uri(), settings.patience()), settings);
    }

    private static ExactCounting counting(RedisLink link) {
        var clock = InstantSource.system();
        return new ExactCounting(link, new Counters("gw", new CalendarPeriods(clock), clock, false));
    }

    /// Whether it was granted; an outage is answered without.
    private boolean acquire(LimitStores node, List<Charge> charges) {
        try {
            if (!(node.limits().acquire(charges).getFirst() instanceof Permit.Granted)) return false;
            granted++;
            return true;
        } catch (DependencyException e) {
            outages++;
            return false;
        }
    }

    private boolean spend(LeasedCounting leased, Charge charge) {
        try {
            var spending = leased.spend(charge);
            if (spending == null || !(spending.permit() instanceof Permit.Granted)) return false;
            granted++;
            return true;
        } catch (DependencyException e) {
            outages++;
            return false;
        }
    }

    private long remaining(Charge charge) {
        try (var fresh = LimitStores.open(patient(), InstantSource.system())) {
            return fresh.limits().peek(List.of(charge)).getFirst().remaining();
        }
    }

    private RedisSettings patient() {
        return RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(5));
    }

    private static Charge charge(String subject, Counting counting) {
        return new Charge("rate:" + UUID.randomUUID(), subject, new RollingPeriod(LIMIT, HOUR), counting, false);
    }
}
