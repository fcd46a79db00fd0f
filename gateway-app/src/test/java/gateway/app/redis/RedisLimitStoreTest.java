package gateway.app.redis;

import gateway.service.LimitStore;
import gateway.service.LimitStoreContract;
import gateway.service.ManualClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

final class RedisLimitStoreTest implements LimitStoreContract {
    private static RedisProcess redis;

    private final ManualClock clock = ManualClock.create();
    private LimitStores stores;

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
        stores = LimitStores.at(redis.uri(), clock);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Override
    public LimitStore store() {
        return stores.limits();
    }

    @Override
    public ManualClock clock() {
        return clock;
    }
}
