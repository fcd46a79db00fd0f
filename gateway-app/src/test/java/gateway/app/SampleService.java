package gateway.app;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/// An upstream that answers `ok` to everything.
public record SampleService(HttpServer server) implements AutoCloseable {
    public static SampleService start() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return new SampleService(server);
    }

    /// A definition that leads here.
    public String definition(String id, String name, String policies) {
        return """
            {"id": "%s", "name": "%s", "match": {"path": "/%s"}, "policies": %s,
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, name, id, policies, server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
