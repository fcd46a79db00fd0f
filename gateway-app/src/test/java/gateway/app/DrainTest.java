package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a gateway under load stops, over real sockets.
final class DrainTest {
    private static final int CLIENTS = 4;
    private static final String SLOW = "/x/slow";
    private static final long LAST_CALL = TimeUnit.MILLISECONDS.toNanos(250);

    @TempDir
    private Path data;

    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private HttpServer upstream;

    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestURI().getPath().equals(SLOW)) awaitRelease();
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        slowMayEnd.countDown();
        upstream.stop(0);
    }

    @Test
    void answers_every_request_says_that_it_closes_and_is_not_ready_meanwhile() throws Exception {
        try (Gateway gateway = start();
                HttpClient client = HttpClient.newHttpClient();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            define(gateway, client);
            var underLoad = new CountDownLatch(CLIENTS);
            List<Future<Optional<String>>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) clients.add(threads.submit(() -> lastOf(gateway, underLoad)));
            Future<String> slow = threads.submit(() -> {
                try (Socket socket = connect(gateway)) {
                    return answer(socket, SLOW);
                }
            });
            underLoad.await();
            slowArrived.await();

            Future<?> closed = threads.submit(gateway::close);
            HttpResponse<String> ready = readyOnceDraining(gateway, client);
            for (Future<Optional<String>> each : clients) {
                assertThat(each.get(10, TimeUnit.SECONDS).orElse("Connection: close"))
                        .contains("Connection: close");
            }
            int stillReady = ready(gateway, client).statusCode();
            slowMayEnd.countDown();

            assertThat(slow.get(10, TimeUnit.SECONDS))
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close");
            closed.get(10, TimeUnit.SECONDS);
            assertThat(ready.body()).contains("\"draining\"");
            assertThat(stillReady).isEqualTo(503);
        }
    }

    /// Sends one request after the other on one connection until an answer is the last.
    ///
    /// @return that answer's head; empty when this client stood still for so long that its connection was idle
    private static Optional<String> lastOf(Gateway gateway, CountDownLatch underLoad) throws IOException {
        try (Socket socket = connect(gateway)) {
            String head = answer(socket, "/x");
            underLoad.countDown();
            while (!head.contains("Connection: close")) {
                long answered = System.nanoTime();
                try {
                    head = answer(socket, "/x");
                } catch (SocketException | AssertionError e) {
                    if (System.nanoTime() - answered < LAST_CALL / 2) throw e;
                    return Optional.empty();
                }
            }
            assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
            return Optional.of(head);
        }
    }

    private static Socket connect(Gateway gateway) throws IOException {
        var socket =
                new Socket(gateway.address().getAddress(), gateway.address().getPort());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String answer(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("an answer, after: " + head).isNotNegative();
            head.append((char) next);
        }
        assertThat(new String(in.readNBytes(2), StandardCharsets.US_ASCII)).isEqualTo("ok");
        return head.toString();
    }

    private static HttpResponse<String> readyOnceDraining(Gateway gateway, HttpClient client) throws Exception {
        while (true) {
            HttpResponse<String> ready = ready(gateway, client);
            if (ready.statusCode() == 503) return ready;
        }
    }

    private static HttpResponse<String> ready(Gateway gateway, HttpClient client) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http:/" + gateway.adminAddress() + "/health/ready"))
                        .build(),
                BodyHandlers.ofString());
    }

    private void define(Gateway gateway, HttpClient client) throws Exception {
        var definition = """
            {"id": "x", "name": "x", "match": {"path": "/x"},
             "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(upstream.getAddress().getPort());
        var request = HttpRequest.newBuilder(URI.create("http:/" + gateway.adminAddress() + "/admin/v1/apis"))
                .header("Authorization", "Bearer " + gateway.adminToken().reveal())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(definition));
        assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(201);
    }

    private Gateway start() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "60s")));
    }

    private void awaitRelease() {
        slowArrived.countDown();
        try {
            slowMayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
