package gateway.service;

final class FakeDefinitionStoreTest implements DefinitionStoreContract {
    private final FakeDefinitionStore store = new FakeDefinitionStore();

    @Override
    public DefinitionStore store() {
        return store;
    }
}
