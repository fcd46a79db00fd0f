package gateway.app.commands;

import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What the demonstration plays on: a gateway, a service behind it, a folder that goes with them.
record DemoStage(Gateway gateway, SampleUpstream upstream, TemporaryFolder folder) implements AutoCloseable {
    private static final int DATA_PORT = 8080;
    private static final int ADMIN_PORT = 9090;
    private static final int UPSTREAM_PORT = 9001;

    /// @param elasticsearch where the traffic log goes, `http://user:password@host:9200`; empty: nowhere
    static DemoStage open(Optional<URI> elasticsearch) throws IOException {
        var folder = TemporaryFolder.create();
        var upstream = SampleUpstream.start(free(UPSTREAM_PORT));
        try {
            return new DemoStage(Gateway.start(settings(folder, elasticsearch)), upstream, folder);
        } catch (IOException | RuntimeException e) {
            upstream.close();
            folder.close();
            throw e;
        }
    }

    Demo demo(Screen screen, HttpClient client) {
        return new Demo(screen, client, data(), admin(), gateway.adminToken().reveal(), upstream.port());
    }

    @Override
    public void close() {
        gateway.close();
        upstream.close();
        folder.close();
    }

    /// Where clients call.
    String data() {
        return "http://127.0.0.1:" + gateway.address().getPort();
    }

    /// Where operators call.
    String admin() {
        return "http://127.0.0.1:" + gateway.adminAddress().getPort();
    }

    private static Settings settings(TemporaryFolder folder, Optional<URI> elasticsearch) throws IOException {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN",
                "127.0.0.1:" + free(DATA_PORT),
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:" + free(ADMIN_PORT),
                "GATEWAY_DATA",
                folder.path().toString(),
                "GATEWAY_DRAIN_TIMEOUT",
                "1s"));
        elasticsearch.ifPresent(url -> record(url, environment));
        return Settings.read(Optional.empty(), environment);
    }

    /// The gateway wants the user apart from the location, which it prints.
    private static void record(URI url, Map<String, String> environment) {
        String user = Optional.ofNullable(url.getUserInfo()).orElse("");
        environment.put("GATEWAY_TRAFFIC_LOG", "elasticsearch");
        environment.put("GATEWAY_TRAFFIC_LOG_FLUSH", "200ms");
        environment.put("GATEWAY_ELASTICSEARCH_URL", withoutUser(url));
        int colon = user.indexOf(':');
        if (colon < 0) return;
        environment.put("GATEWAY_ELASTICSEARCH_USER", user.substring(0, colon));
        environment.put("GATEWAY_ELASTICSEARCH_PASSWORD", user.substring(colon + 1));
    }

    private static String withoutUser(URI url) {
        return url.toString().replaceFirst("//[^/]*@", "//");
    }

    /// `port` if nobody listens there, else 0: any free one.
    private static int free(int port) throws IOException {
        try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return taken.getLocalPort();
        } catch (BindException e) {
            return 0;
        }
    }
}
