package gateway.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.trace.SpanReceiver.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/// What whole gateways are tested with that send spans: an upstream, a collector and a client.
final class TracingRig implements AutoCloseable {
    final SpanReceiver collector = new SpanReceiver();
    private final HttpServer upstream =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    final BlockingQueue<Map<String, List<String>>> upstreamRequests = new LinkedBlockingQueue<>();
    final CountDownLatch asked = new CountDownLatch(1); // once the path that answers nothing was called
    private final CountDownLatch release = new CountDownLatch(1);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path data;

    /// With an API `orders`.
    ///
    /// @param data folder of the gateway
    TracingRig(Path data) throws IOException {
        this.data = data;
        upstream.createContext("/", exchange -> {
            try (exchange) {
                upstreamRequests.add(exchange.getRequestHeaders());
                exchange.sendResponseHeaders(201, -1);
            }
        });
        upstream.createContext("/silent", exchange -> {
            asked.countDown();
            try (exchange) {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        define("orders", upstreamPort());
    }

    int upstreamPort() {
        return upstream.getAddress().getPort();
    }

    /// An API by that name.
    void define(String id, int port) throws IOException {
        Path folder = Files.createDirectories(data.resolve("apis"));
        Files.writeString(folder.resolve(id + ".json"), """
            {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, id, port));
    }

    /// @param settings `GATEWAY_*` variables over those of a test
    Gateway start(Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_NODE", "node-1",
                "GATEWAY_DRAIN_TIMEOUT", "5s",
                "GATEWAY_TRACING_ENDPOINT", collector.endpoint()));
        environment.putAll(settings);
        return Gateway.start(Settings.read(Optional.empty(), environment));
    }

    /// The status of the answer.
    int call(Gateway gateway, String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(gateway, path);
        if (headers.length > 0) request.headers(headers);
        return call(request);
    }

    int call(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    static HttpRequest.Builder request(Gateway gateway, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.address().getPort() + path));
    }

    /// What the gateway tells of its metrics.
    String scrape(Gateway gateway) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + gateway.adminAddress().getPort() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The one span of that name.
    Received only(String name) {
        List<Received> found = collector.named(name);
        assertThat(found)
                .as("spans called " + name + " of " + collector.spans())
                .hasSize(1);
        return found.getFirst();
    }

    @Override
    public void close() {
        release.countDown();
        client.close();
        collector.close();
        upstream.stop(0);
    }
}
