package gateway.app.peers;

import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The whole gateway with one API for every path.
final class PeerGateway implements Peer {
    private final Gateway gateway;

    private PeerGateway(Gateway gateway) {
        this.gateway = gateway;
    }

    /// @param settings `GATEWAY_*` variables over those of a test
    /// @param upstream of the API, as JSON
    static PeerGateway start(Path folder, Map<String, String> settings, String upstream) {
        var all = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", folder.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        all.putAll(settings);
        try {
            Path apis = Files.createDirectories(folder.resolve("apis"));
            Files.writeString(
                    apis.resolve("all.json"),
                    "{\"id\": \"all\", \"match\": {\"path\": \"/\"}, \"upstream\": " + upstream + "}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new PeerGateway(Gateway.start(Settings.read(Optional.empty(), all)));
    }

    InetSocketAddress address() {
        return gateway.address();
    }

    int securePort() {
        return gateway.secureAddress().orElseThrow().getPort();
    }

    int port() {
        return address().getPort();
    }

    /// As a `host:port`.
    String place() {
        return "127.0.0.1:" + port();
    }

    String url() {
        return "http://" + place();
    }

    @Override
    public void close() {
        gateway.close();
    }
}
