package gateway.app.redis;

import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/// An empty Redis for each test, and the stores on it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisFixture {
    private RedisProcess redis;
    private RedisStores stores;

    @BeforeAll
    void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    void stop() {
        if (redis != null) redis.close();
    }

    @BeforeEach
    void open() {
        redis.cli("FLUSHALL");
        stores = RedisStores.open(settings(), InstantSource.system());
    }

    @AfterEach
    void close() {
        stores.close();
    }

    final RedisStores stores() {
        return stores;
    }

    final RedisProcess redis() {
        return redis;
    }

    /// Patient, as a busy test machine needs it.
    final RedisSettings settings() {
        return RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2));
    }
}
