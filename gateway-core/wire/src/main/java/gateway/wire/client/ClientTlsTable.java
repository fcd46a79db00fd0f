package gateway.wire.client;

import gateway.net.UpstreamTls;
import gateway.wire.tls.ClientTls;
import java.util.LinkedHashMap;
import java.util.Map;

/// How upstreams are spoken to by TLS, of one IO thread. Keeps those used last, their sessions with them.
final class ClientTlsTable {
    private static final int MOST = 256;

    private final Map<UpstreamTls, ClientTls> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UpstreamTls, ClientTls> eldest) {
            return size() > MOST;
        }
    };

    ClientTls of(UpstreamTls settings) {
        ClientTls found = known.get(settings);
        if (found != null) return found;
        var made = ClientTls.of(settings);
        known.put(settings, made);
        return made;
    }
}
