package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class EvictionTest {
    @ParameterizedTest
    @CsvSource({
        "noeviction, 104857600, ''",
        "volatile-lru, 104857600, volatile-lru",
        "allkeys-lfu, 104857600, allkeys-lfu",
        "volatile-lru, 0, ''"
    })
    void a_server_may_drop_something_by_its_policy_and_within_its_bound(String policy, String bound, String expected) {
        try (var redis = RedisProcess.start("--maxmemory", bound, "--maxmemory-policy", policy);
                var link = RedisLink.open(RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2)))) {
            var eviction = new Eviction(link);

            eviction.look();

            assertThat(eviction.policy().orElse("")).isEqualTo(expected);
        }
    }

    @Test
    void the_stores_tell_it_from_the_start_on() {
        try (var redis = RedisProcess.start("--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl");
                var stores = RedisStores.open(
                        RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2)), InstantSource.system())) {
            until(() -> stores.evictionPolicy().equals(Optional.of("volatile-ttl")));
        }
    }

    @Test
    void one_server_of_a_cluster_is_enough() {
        assertThat(Eviction.evicting(List.of(
                        "# Memory\r\nmaxmemory:5\r\nmaxmemory_policy:noeviction\r\n",
                        "# Memory\r\nmaxmemory:5\r\nmaxmemory_policy:allkeys-random\r\n")))
                .isEqualTo("allkeys-random");
    }
}
