package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Rule.RollingPeriod;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RedisSentinelTest {
    @Test
    void counting_goes_on_with_the_master_that_sentinel_names_after_a_failover() {
        try (var master = RedisProcess.start();
                var replica = RedisProcess.start("--replicaof", "127.0.0.1", "" + master.port());
                var sentinel = RedisProcess.sentinel(master)) {
            until(() -> replica.cli("INFO", "replication").contains("master_link_status:up"));
            until(() -> sentinel.cli("SENTINEL", "REPLICAS", "main").contains("" + replica.port()));
            String uri = "redis-sentinel://127.0.0.1:" + sentinel.port() + "#main";
            try (var stores = RedisStores.open(RedisSettings.of(uri), InstantSource.system())) {
                until(() -> counts(stores));

                master.kill();

                until(() -> isMaster(replica));
                until(() -> counts(stores));
                assertThat(replica.cli("EXISTS", "gw:{key_1}:rate:a:r")).isEqualTo("1");
            }
        }
    }

    /// Whoever is connected when it becomes one is cut off by Sentinel (`CLIENT KILL TYPE normal`).
    private static boolean isMaster(RedisProcess redis) {
        try {
            return redis.cli("ROLE").startsWith("master");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static boolean counts(RedisStores stores) {
        var rule = new RollingPeriod(1_000_000, 3_600_000_000_000L);
        try {
            stores.limits().acquire(List.of(new Charge("rate:a", "key_1", rule, Counting.EXACT, false)));
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }
}
