package gateway.wire.tls;

import java.security.KeyStore;
import java.security.Provider;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import org.jspecify.annotations.Nullable;

/// The form in which Netty wants key managers.
final class IdentityKeysFactory extends KeyManagerFactory {
    IdentityKeysFactory(IdentityKeys keys) {
        super(new Ready(keys), new Provider("gateway", "1", "") {}, "identities");
    }

    private static final class Ready extends KeyManagerFactorySpi {
        private final IdentityKeys keys;

        private Ready(IdentityKeys keys) {
            this.keys = keys;
        }

        @Override
        protected void engineInit(@Nullable KeyStore store, char @Nullable [] password) {}

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) {}

        @Override
        protected KeyManager[] engineGetKeyManagers() {
            return new KeyManager[] {keys};
        }
    }
}
