package gateway.app.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.config.UpstreamDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// An upstream that answers `/1000` with 1,000 bytes, at once and to as many as come, once it has read what they send.
final class SizedUpstream implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final byte[] PIECE = new byte[8 * 1024]; // of all answers: hundreds of them wait at once

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);

    SizedUpstream() throws IOException {
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    UpstreamDefinition definition() {
        return OneRoute.to("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// Requests whose heads have come.
    int begun() {
        return begun.get();
    }

    /// Of those, how many have neither been answered nor left.
    int open() {
        return begun.get() - ended.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        begun.incrementAndGet();
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            int size = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            exchange.sendResponseHeaders(200, size);
            for (int sent = 0; sent < size; sent += PIECE.length)
                exchange.getResponseBody().write(PIECE, 0, Math.min(PIECE.length, size - sent));
        } finally {
            ended.incrementAndGet();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
