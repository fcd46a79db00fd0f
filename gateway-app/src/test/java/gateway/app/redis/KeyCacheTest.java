package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.key.ApiKey;
import gateway.key.Pepper;
import gateway.key.SecretDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KeyCacheTest {
    private static final Optional<ApiKey> KEY = Optional.of(new ApiKey(
            "key_a",
            "alice",
            true,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of()));

    private final KeyCache cache = new KeyCache(100_000);

    @Test
    void a_change_drops_a_key_that_two_requests_had_read_at_once() {
        cache.put(digest("secret"), KEY, 1);
        cache.put(digest("secret"), KEY, 1);

        cache.changed("key_a", 2);

        assertThat(cache.at(digest("secret"))).isNull();
    }

    @Test
    void the_old_secret_goes_when_the_new_one_is_read_before_the_change_is_told() {
        cache.put(digest("old"), KEY, 1);
        cache.put(digest("new"), KEY, 2);

        cache.changed("key_a", 2);

        assertThat(cache.at(digest("old"))).isNull();
    }

    @Test
    void a_late_message_does_not_drop_what_was_read_after_the_change() {
        cache.put(digest("secret"), KEY, 2);

        cache.changed("key_a", 2);

        assertThat(cache.at(digest("secret"))).isNotNull();
    }

    @Test
    void what_was_read_before_a_change_that_is_known_is_not_kept() {
        cache.changed("key_a", 2);

        cache.put(digest("secret"), KEY, 1);

        assertThat(cache.at(digest("secret"))).isNull();
    }

    private static SecretDigest digest(String secret) {
        return Pepper.of(new byte[Pepper.BYTES]).digest(secret);
    }
}
