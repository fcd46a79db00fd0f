package gateway.wire.tls;

import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/// Engines of the JDK: everywhere and for every key, at three times the CPU time of a handshake by
/// [NativeEngines] or more.
///
/// They are not to read which name a client asks for: [ServerName] has. The JDK's would end the handshake for what is
/// no name of a host. Of that there is a property alone, which the JDK reads before the first handshake of a server.
final class JdkEngines implements Engines {
    private static final String IGNORED_EXTENSIONS = "jdk.tls.server.disableExtensions";
    private static final int ANY_PORT = -1;

    static {
        String usual = System.getProperty(IGNORED_EXTENSIONS, "");
        System.setProperty(IGNORED_EXTENSIONS, usual.isBlank() ? "server_name" : usual + ",server_name");
    }

    private final SSLContext context;
    private final TlsSettings settings;

    private JdkEngines(SSLContext context, TlsSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    /// @param trust of clients; empty when they are not asked for certificates
    static JdkEngines of(TlsSettings settings, IdentityTable table, Optional<ClientTrust> trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new IdentityKeys(table)}, trust.stream().toArray(TrustManager[]::new), null);
            context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return new JdkEngines(context, settings);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SSLEngine engine(String serverName) {
        SSLEngine engine = context.createSSLEngine(serverName, ANY_PORT);
        engine.setUseClientMode(false);
        var parameters = new SSLParameters(
                settings.ciphers().toArray(String[]::new), settings.versions().toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(true);
        switch (settings.clientAuth()) {
            case OFF -> {}
            case OPTIONAL -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        parameters.setApplicationProtocols(settings.protocols().toArray(String[]::new));
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public String toString() {
        return "the JDK";
    }
}
