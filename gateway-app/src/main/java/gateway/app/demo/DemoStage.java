package gateway.app.demo;

import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Optional;

/// What the demonstration plays on: a gateway, a service behind it, a folder that goes with them.
record DemoStage(Gateway gateway, SampleUpstream upstream, TemporaryFolder folder) implements AutoCloseable {
    private static final int DATA_PORT = 8080;
    private static final int ADMIN_PORT = 9090;
    private static final int UPSTREAM_PORT = 9001;

    static DemoStage open() throws IOException {
        var folder = TemporaryFolder.create();
        var upstream = SampleUpstream.start(free(UPSTREAM_PORT));
        try {
            return new DemoStage(Gateway.start(settings(folder)), upstream, folder);
        } catch (IOException | RuntimeException e) {
            upstream.close();
            folder.close();
            throw e;
        }
    }

    Demo demo(Screen screen, HttpClient client) {
        return new Demo(
                screen,
                client,
                "http://127.0.0.1:" + gateway.address().getPort(),
                "http://127.0.0.1:" + gateway.adminAddress().getPort(),
                gateway.adminToken().reveal(),
                upstream.port());
    }

    @Override
    public void close() {
        gateway.close();
        upstream.close();
        folder.close();
    }

    private static Settings settings(TemporaryFolder folder) throws IOException {
        return Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:" + free(DATA_PORT),
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:" + free(ADMIN_PORT),
                        "GATEWAY_DATA",
                        folder.path().toString(),
                        "GATEWAY_DRAIN_TIMEOUT",
                        "1s"));
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
