package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.key.ApiKey;
import gateway.key.KeyStore;
import gateway.key.KeyStoreContract;
import gateway.key.Pepper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RedisKeyStoreTest extends RedisFixture implements KeyStoreContract {
    @Override
    public KeyStore store() {
        return stores().keys();
    }

    @Test
    void a_key_disabled_on_one_node_is_disabled_on_the_others_soon() {
        var issued = store().issue(key("key_a", true));
        try (var other = RedisStores.open(settings(), InstantSource.system())) {
            assertThat(other.keys().authenticate(issued.secret().reveal())).contains(key("key_a", true));

            store().replace(key("key_a", false), Optional.empty());

            until(() -> other.keys().authenticate(issued.secret().reveal()).equals(Optional.of(key("key_a", false))));
        }
    }

    @Test
    void a_former_secret_opens_until_its_time_is_over() {
        String first = store().issue(key("key_a", true)).secret().reveal();

        store().rotate("key_a", Duration.ofSeconds(1));

        until(() -> store().authenticate(first).isEmpty());
        assertThat(store().authenticate(first)).isEmpty();
    }

    @Test
    void a_change_is_found_by_asking_when_its_message_is_lost() {
        var issued = store().issue(key("key_a", true));
        try (var link = RedisLink.open(settings())) {
            var deaf = RedisKeyStore.open(link, settings(), InstantSource.system());
            assertThat(deaf.authenticate(issued.secret().reveal())).contains(key("key_a", true));
            store().replace(key("key_a", false), Optional.empty());
            assertThat(deaf.authenticate(issued.secret().reveal())).contains(key("key_a", true));

            deaf.refresh();

            assertThat(deaf.authenticate(issued.secret().reveal())).contains(key("key_a", false));
        }
    }

    @Test
    void an_unchanged_key_costs_no_round_trip() {
        var issued = store().issue(key("key_a", true));
        try (var link = RedisLink.open(settings())) {
            var keys = RedisKeyStore.open(link, settings(), InstantSource.system());
            keys.authenticate(issued.secret().reveal());
            redis().cli("DEL", "{gw:keys}:secrets", "{gw:keys}:keys");

            assertThat(keys.authenticate(issued.secret().reveal())).contains(key("key_a", true));
        }
    }

    @Test
    void all_keys_are_read_anew_when_redis_has_gone_back_in_time() {
        var issued = store().issue(key("key_a", true));
        try (var link = RedisLink.open(settings())) {
            var keys = RedisKeyStore.open(link, settings(), InstantSource.system());
            keys.refresh();
            keys.authenticate(issued.secret().reveal());
            redis().cli("FLUSHALL");

            keys.refresh();

            assertThat(keys.authenticate(issued.secret().reveal())).isEmpty();
        }
    }

    @Test
    void only_the_hash_of_a_secret_is_in_redis() {
        String secret = store().issue(key("key_a", true)).secret().reveal();

        assertThat(redis().cli("HGETALL", "{gw:keys}:secrets"))
                .contains("key_a")
                .doesNotContain(secret);
        assertThat(redis().cli("HGETALL", "{gw:keys}:keys")).contains("key_a").doesNotContain(secret);
    }

    @Test
    void nodes_with_different_peppers_are_refused() {
        assertThatThrownBy(
                        () -> RedisStores.open(settings().withPepper(Pepper.of(new byte[32])), InstantSource.system()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pepper");
    }

    private static ApiKey key(String id, boolean enabled) {
        return new ApiKey(
                id,
                "alice",
                enabled,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }
}
