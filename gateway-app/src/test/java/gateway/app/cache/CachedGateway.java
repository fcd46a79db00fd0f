package gateway.app.cache;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A whole gateway, and who calls and looks after it.
public final class CachedGateway implements AutoCloseable {
    private final Gateway gateway;
    private final AdminClient admin;

    private CachedGateway(Gateway gateway) {
        this.gateway = gateway;
        this.admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    /// One of its own.
    ///
    /// @param data its folder, where definitions stand
    public static CachedGateway start(Path data) {
        return start(data, Map.of());
    }

    public static CachedGateway start(Path data, Map<String, String> more) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(more);
        return new CachedGateway(Gateway.start(Settings.read(Optional.empty(), environment)));
    }

    /// @param match below which it serves
    /// @param fields of its `cache` policy, after the type
    public static String definition(String id, String match, String fields, int upstream) {
        return """
            {"id": "%s", "match": {"path": "%s"}, "policies": [{"type": "cache"%s}],
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, match, fields, upstream);
    }

    public static void define(Path data, String id, String definition) {
        try {
            Files.writeString(Files.createDirectories(data.resolve("apis")).resolve(id + ".json"), definition);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String get(String path) throws IOException {
        return get(path, "");
    }

    /// @param fields a line each, with its end
    public String get(String path, String fields) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + fields + "\r\n");
    }

    public String send(String request) throws IOException {
        return RawClient.exchange(gateway.address().getPort(), request);
    }

    public AdminClient admin() {
        return admin;
    }

    public Gateway gateway() {
        return gateway;
    }

    @Override
    public void close() {
        admin.close();
        gateway.close();
    }
}
