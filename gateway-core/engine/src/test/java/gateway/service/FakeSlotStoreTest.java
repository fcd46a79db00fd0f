package gateway.service;

final class FakeSlotStoreTest implements SlotStoreContract {
    private final FakeSlotStore store = new FakeSlotStore();

    @Override
    public SlotStore store() {
        return store;
    }
}
