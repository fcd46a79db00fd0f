package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.ShortTerm;
import gateway.service.ShortTermContract;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class RedisShortTermTest extends RedisFixture implements ShortTermContract {
    @Override
    public ShortTerm store() {
        return stores().shortTerm();
    }

    @Override
    public void letPass(Duration time) {
        ShortTermKeys.letPass(redis(), time);
    }

    @Test
    void what_one_node_keeps_the_others_know() {
        var name = ShortTermName.of(ShortTermUse.REPLAY, "orders/jwt", "jti");
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            assertThat(store().putIfAbsent(name, minute("text"))).isTrue();

            assertThat(other.shortTerm().putIfAbsent(name, minute("other"))).isFalse();
            assertThat(other.shortTerm().get(name)).contains("text");
        }
    }

    @Test
    void redis_itself_lets_a_value_go_at_its_end() {
        store().put(ShortTermName.of(ShortTermUse.BAN, "orders/ban", "192.0.2.1"), minute(""));

        String key = redis().cli("KEYS", "gw:short:ban:*");

        assertThat(Long.parseLong(redis().cli("PTTL", key))).isBetween(1L, 60_000L);
    }

    @Test
    void only_the_hash_of_a_name_is_in_redis() {
        store().put(ShortTermName.of(ShortTermUse.SESSION, "orders/oidc", "secret-session"), minute("{}"));

        assertThat(redis().cli("KEYS", "*")).contains("gw:short:session:").doesNotContain("secret-session");
    }

    private static ShortTermValue minute(String text) {
        return new ShortTermValue(text, Duration.ofMinutes(1));
    }
}
