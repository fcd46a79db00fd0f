package gateway.app.memory;

import gateway.service.LimitStore;
import gateway.service.LimitStoreContract;
import gateway.service.ManualClock;

final class MemoryLimitStoreTest implements LimitStoreContract {
    private final ManualClock clock = ManualClock.create();
    private final MemoryLimitStore store = new MemoryLimitStore(clock::nanos, new CounterTable(1_000_000));

    @Override
    public LimitStore store() {
        return store;
    }

    @Override
    public ManualClock clock() {
        return clock;
    }
}
