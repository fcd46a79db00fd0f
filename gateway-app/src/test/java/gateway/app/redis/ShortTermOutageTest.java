package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.service.DependencyException;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Short-term values while Redis is away, mute or full, with the deadline of production.
final class ShortTermOutageTest {
    private static final ShortTermName NAME = ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt", "jti");

    private RedisProcess redis;
    private TcpProxy proxy;
    private RedisStores stores;

    @BeforeEach
    void open() {
        redis = RedisProcess.start();
        proxy = TcpProxy.to(redis.port());
        stores = RedisStores.open(RedisSettings.of("redis://127.0.0.1:" + proxy.port()), InstantSource.system());
        until(this::answers);
    }

    @AfterEach
    void close() throws Exception {
        stores.close();
        proxy.close();
        redis.close();
    }

    @Test
    void nothing_is_new_while_redis_is_dead() {
        redis.kill();

        assertThatThrownBy(this::guard).isInstanceOf(DependencyException.class).hasMessageStartingWith("redis: ");

        redis.restart();
        until(this::answers);
    }

    @Test
    void all_calls_fail_within_the_deadline_while_the_network_swallows_everything() {
        proxy.swallow();

        assertThatThrownBy(this::guard).hasMessageContaining("no answer within the deadline");
        assertThatThrownBy(() -> stores.shortTerm().get(NAME)).isInstanceOf(DependencyException.class);
        assertThatThrownBy(() -> stores.shortTerm().put(NAME, value())).isInstanceOf(DependencyException.class);
        assertThatThrownBy(() -> stores.shortTerm().remove(NAME)).isInstanceOf(DependencyException.class);

        proxy.pass();
        until(this::answers);
    }

    @Test
    void nothing_is_new_while_redis_is_full() {
        redis.cli("CONFIG", "SET", "maxmemory", "1");

        until(() -> refusal().contains("OOM")); // a Redis that shares its core may take longer than the deadline first

        redis.cli("CONFIG", "SET", "maxmemory", "0");
        until(this::answers);
        assertThat(stores.shortTerm().get(NAME)).isEmpty();
    }

    /// Why nothing new is kept.
    private String refusal() {
        try {
            guard();
            throw new AssertionError("it was kept");
        } catch (DependencyException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void guard() {
        stores.shortTerm().putIfAbsent(NAME, value());
    }

    private boolean answers() {
        try {
            stores.shortTerm().get(NAME);
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }

    private static ShortTermValue value() {
        return new ShortTermValue("", Duration.ofMinutes(1));
    }
}
