package gateway.app.commands;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/// A service to put the gateway in front of: answers every request with what it saw of it.
final class SampleUpstream implements AutoCloseable {
    private final HttpServer server;

    private SampleUpstream(HttpServer server) {
        this.server = server;
    }

    static SampleUpstream start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", SampleUpstream::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return new SampleUpstream(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            var seen = Json.mapper()
                    .createObjectNode()
                    .put("service", "sample")
                    .put("method", exchange.getRequestMethod())
                    .put("path", exchange.getRequestURI().toString())
                    .put("forwardedFor", exchange.getRequestHeaders().getFirst("X-Forwarded-For"))
                    .put("requestId", exchange.getRequestHeaders().getFirst("X-Request-Id"));
            byte[] content = (Json.compact(seen) + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        }
    }
}
