package gateway.wire.tls;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which engines serve a listener: those that are asked for, the JDK's where there can be no others.
final class EngineChoice {
    private static final Logger LOG = LoggerFactory.getLogger(EngineChoice.class);

    private EngineChoice() {}

    /// @param trust of clients; empty when they are not asked for certificates
    static Engines of(TlsSettings settings, IdentityTable table, Optional<ClientTrust> trust) {
        if (settings.engine() == TlsSettings.Engine.JDK) return told(JdkEngines.of(settings, table, trust));
        Optional<String> obstacle = NativeEngines.obstacle(table);
        if (obstacle.isEmpty()) return told(NativeEngines.of(settings, table, trust));
        switch (settings.engine()) {
            case OPENSSL -> LOG.warn("TLS by the JDK, not by OpenSSL: {}", obstacle.get());
            case AUTO, JDK -> LOG.info("TLS by the JDK: {}", obstacle.get());
        }
        return JdkEngines.of(settings, table, trust);
    }

    private static Engines told(Engines engines) {
        LOG.info("TLS by {}", engines);
        return engines;
    }
}
