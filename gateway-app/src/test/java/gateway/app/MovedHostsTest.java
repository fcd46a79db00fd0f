package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Java's own lookup of names, which the whole process asks, by a hosts file that changes.
final class MovedHostsTest {
    /// Java remembers for 30 s unless it is told otherwise.
    private static final Duration LESS_THAN_JAVAS = Duration.ofSeconds(20);

    @TempDir
    private Path data;

    @Test
    void dns_refresh_below_what_java_remembers_has_effect() throws Exception {
        Path hosts = data.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 orders.test localhost\n");
        HttpServer before = server("127.0.0.1", 0, "before");
        int port = before.getAddress().getPort();
        HttpServer after = server("127.0.0.2", port, "after");
        Files.createDirectories(data.resolve("apis"));
        Files.writeString(data.resolve("apis/orders.json"), """
                {"id": "orders", "match": {"path": "/"},
                 "upstream": {"targets": [{"url": "http://orders.test:%d"}], "dnsRefresh": "1s"}}""".formatted(port));
        try (var gateway = GatewayProcess.start(data, Map.of(), "-Djdk.net.hosts.file=" + hosts)) {
            assertThat(text(gateway)).isEqualTo("before");

            Files.writeString(hosts, "127.0.0.2 orders.test localhost\n");
            long moved = System.nanoTime();
            until(() -> text(gateway).equals("after"));

            assertThat(Duration.ofNanos(System.nanoTime() - moved)).isLessThan(LESS_THAN_JAVAS);
        } finally {
            before.stop(0);
            after.stop(0);
        }
    }

    private static HttpServer server(String address, int port, String text) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
        byte[] body = text.getBytes(StandardCharsets.US_ASCII);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String text(GatewayProcess gateway) throws IOException {
        var uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/");
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
