package gateway.app.identity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.policies.cryptography.TokenSmith;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// An identity provider that does what a test wants: tells its keys, or does not.
final class IdentityProvider implements AutoCloseable {
    /// What it does with a request.
    @FunctionalInterface
    interface Manner {
        void answer(HttpExchange exchange) throws IOException;
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final int port;
    private HttpServer server;
    private volatile Manner manner;

    private IdentityProvider(HttpServer server) {
        this.server = server;
        this.port = server.getAddress().getPort();
    }

    static IdentityProvider start(TokenSmith... keys) {
        var provider = new IdentityProvider(listening(0));
        provider.rotate(keys);
        provider.begin();
        return provider;
    }

    private static HttpServer listening(int port) {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void begin() {
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + ' ' + exchange.getRequestURI());
            try (exchange) {
                manner.answer(exchange);
            }
        });
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /// What has been asked for since the start.
    List<String> asked() {
        return List.copyOf(asked);
    }

    /// These are its keys from now on.
    void rotate(TokenSmith... keys) {
        var texts = new ArrayList<String>();
        Arrays.stream(keys).forEach(each -> texts.add(each.jwk()));
        tell("application/json", "{\"keys\": [" + String.join(", ", texts) + "]}");
    }

    void tell(String contentType, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        behave(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", contentType);
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        });
    }

    void behave(Manner other) {
        manner = other;
    }

    /// Takes requests and answers none.
    void freeze() {
        behave(_ -> await());
    }

    /// Answers a byte now and then.
    void trickle() {
        behave(exchange -> {
            exchange.sendResponseHeaders(200, 1 << 16);
            while (over.getCount() > 0) {
                exchange.getResponseBody().write(' ');
                exchange.getResponseBody().flush();
                pause();
            }
        });
    }

    private void pause() {
        LockSupport.parkNanos(50_000_000);
    }

    private void await() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Nobody listens any more.
    void kill() {
        server.stop(0);
    }

    /// Listens again.
    void revive() {
        server = listening(port);
        begin();
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
