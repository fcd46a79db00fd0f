package gateway.service;

import gateway.key.KeyStore;
import gateway.key.KeyStoreContract;

final class FakeKeyStoreTest implements KeyStoreContract {
    private final FakeKeyStore store = new FakeKeyStore();

    @Override
    public KeyStore store() {
        return store;
    }
}
