package gateway.app.component;

import gateway.app.CacheNode;
import gateway.app.FreePort;
import gateway.app.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A member of the cache component in this JVM, alone, and a client of its own.
public final class OwnComponent implements AutoCloseable {
    public static final String TOKEN = "a-token-of-the-tests-0123456789abcdef";
    static final String ADMIN_TOKEN = "an-admin-token-of-the-tests-0123456789";
    static final String SECRET = "a-secret-of-the-tests-0123456789abcdef";

    private final CacheNode node;
    private final HttpClient client = HttpClient.newHttpClient();

    private OwnComponent(CacheNode node) {
        this.node = node;
    }

    public static OwnComponent start(Path data, InstantSource clock) {
        return start(data, clock, Map.of());
    }

    static OwnComponent start(Path data, InstantSource clock, Map<String, String> more) {
        Map<String, String> settings = settings(data, FreePort.take(), "");
        settings.putAll(more);
        return new OwnComponent(CacheNode.start(Settings.read(Optional.empty(), settings), clock));
    }

    /// The settings of a member on loopback.
    static Map<String, String> settings(Path data, int port, String members) {
        return new HashMap<>(Map.of(
                "GATEWAY_ADMIN_TOKEN",
                ADMIN_TOKEN,
                "GATEWAY_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_DATA",
                data.toString(),
                "GATEWAY_CACHE_MEMBER_LISTEN",
                "127.0.0.1:" + port,
                "GATEWAY_CACHE_MEMBERS",
                members,
                "GATEWAY_CACHE_MEMBER_SECRET",
                SECRET,
                "GATEWAY_CACHE_TOKENS",
                TOKEN,
                "GATEWAY_SHUTDOWN_DELAY",
                "0s"));
    }

    public InetSocketAddress address() {
        return node.address();
    }

    InetSocketAddress adminAddress() {
        return node.adminAddress();
    }

    /// @param fields name, value, name, value …
    HttpResponse<byte[]> send(String method, String path, byte[] content, String... fields) {
        return send(client, node.address(), method, path, content, fields);
    }

    HttpResponse<byte[]> put(String path, String text, String... fields) {
        return send("PUT", path, text.getBytes(StandardCharsets.UTF_8), fields);
    }

    HttpResponse<byte[]> delete(String path) {
        return send("DELETE", path, new byte[0]);
    }

    HttpResponse<byte[]> get(String path) {
        return send("GET", path, new byte[0]);
    }

    static HttpResponse<byte[]> send(
            HttpClient client,
            InetSocketAddress address,
            String method,
            String path,
            byte[] content,
            String... fields) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .method(
                        method,
                        content.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(content))
                .setHeader("Authorization", "Bearer " + TOKEN);
        for (int i = 0; i < fields.length; i += 2) {
            if (fields[i].equals("Authorization")) request.setHeader(fields[i], fields[i + 1]);
            else request.header(fields[i], fields[i + 1]);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
        node.close();
    }
}
