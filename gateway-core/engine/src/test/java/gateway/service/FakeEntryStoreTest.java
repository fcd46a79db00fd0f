package gateway.service;

import java.time.Duration;

final class FakeEntryStoreTest implements EntryStoreContract {
    private final ManualClock clock = ManualClock.create();
    private final FakeEntryStore store = new FakeEntryStore(clock);

    @Override
    public EntryStore store() {
        return store;
    }

    @Override
    public void letPass(Duration time) {
        clock.advance(time);
    }
}
