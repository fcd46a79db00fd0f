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
    public EntryStore other() {
        return store;
    }

    @Override
    public void cutOff() {
        store.cutOff();
    }

    @Override
    public void letArrive(String group) {}

    @Override
    public void join() {
        store.join();
    }

    @Override
    public int remembered() {
        return FakeEntryStore.REMEMBERED;
    }

    @Override
    public void letPass(Duration time) {
        clock.advance(time);
    }
}
