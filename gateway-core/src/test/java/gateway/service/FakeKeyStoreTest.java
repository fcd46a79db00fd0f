package gateway.service;

final class FakeKeyStoreTest implements KeyStoreContract {
    private final FakeKeyStore store = new FakeKeyStore();

    @Override
    public KeyStore store() {
        return store;
    }
}
