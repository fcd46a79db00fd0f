package gateway.service;

final class FakeLimitStoreTest implements LimitStoreContract {
    private final ManualClock clock = ManualClock.create();
    private final FakeLimitStore store = new FakeLimitStore(clock);

    @Override
    public LimitStore store() {
        return store;
    }

    @Override
    public ManualClock clock() {
        return clock;
    }
}
