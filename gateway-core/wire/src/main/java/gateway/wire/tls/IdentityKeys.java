package gateway.wire.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Gives JSSE the identity that belongs to each handshake. An alias is an index into the table.
final class IdentityKeys extends X509ExtendedKeyManager {
    private final IdentityTable table;

    IdentityKeys(IdentityTable table) {
        this.table = table;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        int found = table.indexOf(serverName(engine), keyType);
        return found < 0 ? null : Integer.toString(found);
    }

    /// As [Engines] have it from the client.
    private static String serverName(SSLEngine engine) {
        String asked = engine.getPeerHost();
        return asked == null ? "" : asked;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return List.of(keyTypes).contains(table.all().getFirst().keyType()) ? "0" : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return table.all().get(Integer.parseInt(alias)).chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return table.all().get(Integer.parseInt(alias)).key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // JSSE asks engines only
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
