package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.key.ApiKey;
import gateway.key.KeyStore;
import gateway.key.Pepper;
import gateway.service.DependencyException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nodes whose Redis loses all it has: they end up with one pepper, and call no key unknown before.
final class SharedPepperTest {
    private static final String PEPPER = "{gw:keys}:pepper";

    private RedisProcess redis;
    private RedisLink link;

    @BeforeEach
    void open() {
        redis = RedisProcess.start();
        link = RedisLink.open(settings());
    }

    @AfterEach
    void close() {
        link.close();
        redis.close();
    }

    @Test
    void a_running_node_puts_its_pepper_back_and_a_new_one_finds_it() {
        var running = node(settings());
        String pepper = redis.cli("GET", PEPPER);
        redis.cli("FLUSHALL");

        running.refresh();

        assertThat(redis.cli("GET", PEPPER)).isEqualTo(pepper);
        String secret = secretOf(node(settings()));
        assertThat(running.authenticate(secret)).isPresent();
    }

    @Test
    void a_running_node_takes_over_the_pepper_of_one_that_was_first_and_calls_nothing_unknown_before() {
        var running = node(settings());
        redis.cli("FLUSHALL");
        String secret = secretOf(node(settings()));
        assertThatThrownBy(() -> running.authenticate(secret)).isInstanceOf(DependencyException.class);

        running.refresh();

        assertThat(running.authenticate(secret)).isPresent();
    }

    @Test
    void a_key_is_never_made_with_a_pepper_that_redis_has_lost() {
        var running = node(settings());
        redis.cli("FLUSHALL");
        var first = node(settings());

        String secret = secretOf(running);

        assertThat(first.authenticate(secret)).isPresent();
    }

    @Test
    void keys_at_hand_go_with_the_pepper_though_as_many_were_made_since() {
        var running = node(settings());
        String lost = secretOf(running);
        running.refresh();
        assertThat(running.authenticate(lost)).isPresent();
        redis.cli("FLUSHALL");
        secretOf(node(settings()));

        running.refresh();

        assertThat(running.authenticate(lost)).isEmpty();
    }

    @Test
    void a_node_with_a_pepper_by_setting_looks_up_and_makes_nothing_until_the_others_agree() {
        var running = node(settings().withPepper(pepper(1)));
        redis.cli("FLUSHALL");
        String foreign = secretOf(node(settings().withPepper(pepper(2))));

        running.refresh();

        assertThatThrownBy(() -> running.authenticate(foreign))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("another pepper");
        assertThatThrownBy(() -> secretOf(running)).isInstanceOf(DependencyException.class);
        redis.cli("FLUSHALL");
        running.refresh();
        assertThat(running.authenticate(secretOf(running))).isPresent();
    }

    @Test
    void a_pepper_by_setting_is_never_put_in_redis() {
        var running = node(settings().withPepper(pepper(1)));
        redis.cli("FLUSHALL");

        running.refresh();

        assertThat(redis.cli("EXISTS", PEPPER)).contains("0");
        assertThat(redis.cli("EXISTS", PEPPER + "-check")).contains("1");
    }

    @Test
    void after_redis_crashed_and_came_back_empty_a_key_of_a_restarted_node_opens_the_other_too() {
        var first = RedisStores.open(settings(), InstantSource.system());
        try (var second = RedisStores.open(settings(), InstantSource.system())) {
            redis.kill();
            first.close();
            redis.restart();
            first = RedisStores.open(settings(), InstantSource.system());
            String secret = secretOf(first.keys());

            until(() -> opens(second.keys(), secret));
        } finally {
            first.close();
        }
    }

    /// Fails when the key is called unknown.
    private static boolean opens(KeyStore keys, String secret) {
        try {
            assertThat(keys.authenticate(secret)).isPresent();
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }

    /// One that looks at Redis only when told to.
    private RedisKeyStore node(RedisSettings settings) {
        return RedisKeyStore.open(link, settings, InstantSource.system());
    }

    private static String secretOf(KeyStore keys) {
        var key = new ApiKey(
                "", "alice", true, Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), List.of(), Map.of());
        return keys.issue(key).secret().reveal();
    }

    private static Pepper pepper(int each) {
        var bytes = new byte[Pepper.BYTES];
        Arrays.fill(bytes, (byte) each);
        return Pepper.of(bytes);
    }

    private RedisSettings settings() {
        return RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2));
    }
}
