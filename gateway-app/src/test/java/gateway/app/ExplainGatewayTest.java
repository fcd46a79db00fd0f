package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A request is explained by a whole gateway, which is the same as before.
@Timeout(90)
final class ExplainGatewayTest {
    @TempDir
    private Path data;

    @Test
    void nothing_is_sent_spent_or_counted_and_trusted_proxies_are_believed() throws Exception {
        var asked = new AtomicInteger();
        HttpServer upstream = upstream(asked);
        try (Gateway gateway = Gateway.start(Settings.read(
                        Optional.empty(),
                        Map.of(
                                "GATEWAY_LISTEN", "127.0.0.1:0",
                                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                                "GATEWAY_DATA", data.toString(),
                                "GATEWAY_TRUSTED_PROXIES", "10.0.0.0/8",
                                "GATEWAY_DRAIN_TIMEOUT", "2s")));
                AdminClient admin = AdminClient.of(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                        gateway.adminToken().reveal())) {
            admin.call("POST", "/apis", """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
                 "policies": [{"type": "key-auth"}, {"type": "rate-limit", "requests": 1, "per": "1h"}]}""".formatted(upstream.getAddress().getPort()));
            String secret = admin.issue("k1", "orders");
            String request = """
                {"path": "/orders", "client": "10.0.0.1",
                 "headers": {"Authorization": "Bearer %s", "X-Forwarded-For": "203.0.113.9"}}""".formatted(secret);

            var first = admin.call("POST", "/explain", request);
            var second = admin.call("POST", "/explain", request);
            String metrics = admin.get("/metrics").body();
            int status = call(admin, gateway, secret);
            var spent = admin.call("POST", "/explain", request);

            assertThat(first.at("/request/client").stringValue()).isEqualTo("203.0.113.9");
            assertThat(second.at("/steps/1/limit")).isEqualTo(Json.parse("""
                {"limit": 1, "remaining": 1, "resetSeconds": 0.0}"""));
            assertThat(metrics).doesNotContain("api=\"orders\"");
            assertThat(status).isEqualTo(200);
            assertThat(asked).hasValue(1);
            assertThat(spent.at("/answer/reason").stringValue()).isEqualTo("rate-limited");
        } finally {
            upstream.stop(0);
        }
    }

    private static HttpServer upstream(AtomicInteger asked) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static int call(AdminClient admin, Gateway gateway, String secret)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/orders"))
                .header("Authorization", "Bearer " + secret)
                .build();
        return admin.client().send(request, BodyHandlers.discarding()).statusCode();
    }
}
