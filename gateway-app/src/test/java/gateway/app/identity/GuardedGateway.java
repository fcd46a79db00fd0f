package gateway.app.identity;

import com.sun.net.httpserver.HttpServer;
import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A whole gateway with one API, whose first policy a test chooses, and an upstream that notes what it got.
final class GuardedGateway implements AutoCloseable {
    private final HttpServer upstream;
    private final Gateway gateway;
    private final AdminClient admin;
    private final List<String> arrived;
    private final List<String> bodies;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private GuardedGateway(
            HttpServer upstream, Gateway gateway, AdminClient admin, List<String> arrived, List<String> bodies) {
        this.upstream = upstream;
        this.gateway = gateway;
        this.admin = admin;
        this.arrived = arrived;
        this.bodies = bodies;
    }

    /// @param data an empty folder
    static GuardedGateway start(Path data, String policy, Map<String, String> settings) {
        var arrived = new CopyOnWriteArrayList<String>();
        var bodies = new CopyOnWriteArrayList<String>();
        HttpServer upstream = upstream(arrived, bodies);
        write(data, policy, upstream.getAddress().getPort());
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(settings);
        Gateway gateway = Gateway.start(Settings.read(Optional.empty(), environment));
        URI base = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort());
        AdminClient admin = AdminClient.of(base, gateway.adminToken().reveal());
        return new GuardedGateway(upstream, gateway, admin, arrived, bodies);
    }

    private static HttpServer upstream(List<String> arrived, List<String> bodies) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            HttpServer server = HttpServer.create(address, 1_000);
            server.createContext("/", exchange -> {
                try (exchange) {
                    arrived.add(exchange.getRequestHeaders().entrySet().toString());
                    byte[] body = exchange.getRequestBody().readAllBytes(); // or it is cut off
                    if (body.length > 0) bodies.add(new String(body, StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(200, -1);
                }
            });
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path data, String policy, int port) {
        try {
            Path folder = Files.createDirectories(data.resolve("apis"));
            Files.writeString(folder.resolve("orders.json"), """
                    {"id": "orders", "match": {"path": "/"}, "policies": [%s],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(policy, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return gateway.address().getPort();
    }

    /// Of the listener that speaks TLS.
    int securePort() {
        return gateway.secureAddress().orElseThrow().getPort();
    }

    AdminClient admin() {
        return admin;
    }

    /// The headers of each request that the upstream got.
    List<String> arrived() {
        return List.copyOf(arrived);
    }

    /// The body of each that had one.
    List<String> bodies() {
        return List.copyOf(bodies);
    }

    HttpResponse<String> call(String token) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/"))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int status(String token) {
        return call(token).statusCode();
    }

    @Override
    public void close() {
        client.close();
        admin.close();
        gateway.close();
        upstream.stop(0);
    }
}
