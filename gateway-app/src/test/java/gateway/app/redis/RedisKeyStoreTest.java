package gateway.app.redis;

import gateway.service.KeyStore;
import gateway.service.KeyStoreContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

final class RedisKeyStoreTest implements KeyStoreContract {
    private static RedisProcess redis;

    private RedisStores stores;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) redis.close();
    }

    @BeforeEach
    void open() {
        redis.cli("FLUSHALL");
        stores = RedisStores.open(
                RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2)), InstantSource.system());
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Override
    public KeyStore store() {
        return stores.keys();
    }
}
