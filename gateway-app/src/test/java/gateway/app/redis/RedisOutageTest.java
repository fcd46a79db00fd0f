package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.FreePort;
import gateway.key.ApiKey;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule.RollingPeriod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Redis away, mute, standing still and back again, with the deadline of production.
final class RedisOutageTest {
    private RedisProcess redis;
    private TcpProxy proxy;
    private RedisStores stores;

    @BeforeEach
    void open() {
        redis = RedisProcess.start();
        proxy = TcpProxy.to(redis.port());
        stores = RedisStores.open(RedisSettings.of("redis://127.0.0.1:" + proxy.port()), InstantSource.system());
        until(this::counts);
    }

    @AfterEach
    void close() throws Exception {
        stores.close();
        proxy.close();
        redis.close();
    }

    @Test
    void calls_fail_while_redis_is_dead_and_work_when_it_is_back() {
        redis.kill();
        assertThatThrownBy(this::acquire)
                .isInstanceOf(DependencyException.class)
                .hasMessageStartingWith("redis: ");

        redis.restart();

        until(this::counts);
        until(() -> stores.state().available());
    }

    @Test
    void calls_fail_while_the_network_swallows_everything_and_work_on_a_new_connection() {
        proxy.swallow();
        assertThatThrownBy(this::acquire).hasMessageContaining("no answer within the deadline");
        proxy.pass();

        until(this::counts);
    }

    @Test
    void the_breaker_refuses_calls_at_once_after_some_have_failed() {
        proxy.swallow();

        until(() -> !counts() && !stores.state().available());

        until(() -> {
            try {
                acquire();
                return false;
            } catch (DependencyException e) {
                return e.getMessage().contains("not asked");
            }
        });
        assertThat(stores.state().refused()).isPositive();
    }

    @Test
    void calls_fail_while_redis_stands_still_and_work_on_the_same_connection_after() {
        redis.cli("CLIENT", "PAUSE", "300");
        assertThatThrownBy(this::acquire).hasMessageContaining("no answer within the deadline");

        until(this::counts);
    }

    @Test
    void keys_at_hand_go_on_working_and_others_are_no_unknown_ones() {
        var key = new ApiKey(
                "key_a",
                "alice",
                true,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
        String secret = stores.keys().issue(key).secret().reveal();
        until(() -> {
            try {
                return stores.keys().authenticate(secret).isPresent();
            } catch (DependencyException e) {
                return false;
            }
        });
        redis.kill();

        assertThat(stores.keys().authenticate(secret)).contains(key);
        assertThatThrownBy(() -> stores.keys().authenticate("gw_other")).isInstanceOf(DependencyException.class);
    }

    @Test
    void keys_at_hand_work_no_longer_than_their_staleness() {
        try (var link = RedisLink.open(RedisSettings.of(redis.uri()))) {
            var settings = RedisSettings.of(redis.uri()).withKeyStaleness(Duration.ofMillis(1));
            var keys = RedisKeyStore.open(link, settings, InstantSource.system());
            redis.kill();

            assertThatThrownBy(() -> keys.authenticate("gw_some")).isInstanceOf(DependencyException.class);
        }
    }

    @Test
    void what_was_leased_is_spent_while_redis_is_away() {
        var charge = new Charge(
                "rate:" + UUID.randomUUID(),
                "key_1",
                new RollingPeriod(1_000_000, 3_600_000_000_000L),
                Counting.LEASED,
                false);
        until(() -> granted(charge));
        proxy.swallow();

        assertThat(granted(charge)).isTrue();
    }

    @Test
    void scripts_that_redis_forgot_are_sent_again() {
        redis.cli("SCRIPT", "FLUSH");

        until(this::counts);
        assertThat(stores.definitions().load().revision()).isZero();
    }

    @Test
    void redis_out_of_reach_at_the_start_is_said_without_the_password() {
        int nobody = FreePort.take();

        assertThatThrownBy(() -> RedisStores.open(
                        RedisSettings.of("redis://user:secret@127.0.0.1:" + nobody), InstantSource.system()))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("127.0.0.1:" + nobody)
                .hasMessageNotContaining("secret");
    }

    private boolean counts() {
        try {
            acquire();
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }

    private boolean granted(Charge charge) {
        try {
            return stores.limits().acquire(List.of(charge)).getFirst() instanceof Permit.Granted;
        } catch (DependencyException e) {
            return false;
        }
    }

    private void acquire() {
        var rule = new RollingPeriod(1_000_000_000, 3_600_000_000_000L);
        stores.limits().acquire(List.of(new Charge("quota:a", "key_1", rule, Counting.EXACT, true)));
    }
}
