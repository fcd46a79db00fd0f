package gateway.app;

import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A whole gateway of this process that serves the APIs of a test.
public final class DefinedGateway implements AutoCloseable {
    private final Gateway gateway;
    private final AdminClient admin;

    private DefinedGateway(Gateway gateway, AdminClient admin) {
        this.gateway = gateway;
        this.admin = admin;
    }

    /// @param data an empty folder
    /// @param definitions of APIs, each with an `id`
    public static DefinedGateway start(Path data, String... definitions) {
        return start(data, Map.of(), definitions);
    }

    /// @param settings more `GATEWAY_*` variables
    public static DefinedGateway start(Path data, Map<String, String> settings, String... definitions) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(settings);
        try {
            Path folder = Files.createDirectories(data.resolve("apis"));
            for (String definition : definitions) {
                String id = Json.parse(definition).get("id").stringValue();
                Files.writeString(folder.resolve(id + ".json"), definition);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Gateway gateway = Gateway.start(Settings.read(Optional.empty(), environment));
        URI base = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort());
        return new DefinedGateway(
                gateway, AdminClient.of(base, gateway.adminToken().reveal()));
    }

    /// Of the data plane.
    public InetSocketAddress address() {
        return gateway.address();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + address().getPort() + path);
    }

    /// Closed with the gateway.
    public AdminClient admin() {
        return admin;
    }

    /// Has requests of `/<id>` go through `policies`, in JSON, to a server of this machine.
    public void define(String id, String policies, InetSocketAddress upstream)
            throws IOException, InterruptedException {
        admin.call("PUT", "/apis/" + id, """
                {"match": {"path": "/%s"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, policies, upstream.getPort()));
    }

    @Override
    public void close() {
        admin.close();
        gateway.close();
    }
}
